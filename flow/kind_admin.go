package flow

import (
	"net/http"
	"net/http/pprof"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// adminConfig is a server that tells how the flow does.
type adminConfig struct {
	Address text `flow:"address,required" doc:"where it listens, such as 127.0.0.1:9000"`
	PProf   bool `flow:"pprof" doc:"profiles at /debug/pprof/"`
}

func newAdminConfig() config { return new(adminConfig) }

func (cfg *adminConfig) build(b *build) step {
	f, mux := b.g.flow, http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		f.mu.Lock()
		ready := f.running && !f.draining
		f.mu.Unlock()
		if !ready {
			http.Error(w, "stopping", http.StatusServiceUnavailable)
			return
		}
		_, _ = w.Write([]byte("ok\n"))
	})
	registry := prometheus.NewRegistry()
	registry.MustRegister(collector{f})
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	f.debug(mux)
	if cfg.PProf {
		mux.HandleFunc("/debug/pprof/", pprof.Index)
		mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
		mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	}
	server := newHTTPConfig().(*httpConfig)
	server.Address, server.WriteTime = cfg.Address, 0 // a profile takes its time
	s := &httpStep{cfg: server, node: b.node, address: cfg.Address.s, admin: mux}
	s.listens(b, cfg.Address.at)
	return s
}

// collector gives the counts of the nodes to Prometheus.
type collector struct{ flow *Flow }

func metric(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("weft_flow_"+name, help, labels, nil)
}

var (
	metricErrors  = metric("errors_total", "Messages that a node failed with.", "node", "kind")
	metricSeconds = metric("node_seconds", "Time in a node itself, without the nodes behind it.", "node", "kind")
	metricCodec   = metric("codec_seconds_total", "Time in codecs, of bodies in memory.", "node", "kind")
	metricBytes   = metric("bytes_total", "Bytes of bodies that came in and went out.", "node", "kind", "direction")
	metricReloads = metric("reloads_total", "Documents that were reloaded.", "result")
	metricRunning = metric("requests_running", "Requests in progress.")
)

// Describe implements prometheus.Collector.
func (c collector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{metricErrors, metricSeconds, metricCodec, metricBytes, metricReloads,
		metricRunning} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (c collector) Collect(to chan<- prometheus.Metric) {
	g := c.flow.acquire()
	defer g.release()
	count := func(d *prometheus.Desc, n float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, n, labels...)
	}
	for _, n := range g.nodes {
		s, name, kind := n.stats, n.spec.name, n.spec.kind.name
		buckets, total := make(map[float64]uint64, len(bounds)), uint64(0)
		for i := range bounds {
			total += uint64(s.buckets[i].Load())
			buckets[bounds[i].Seconds()] = total
		}
		all := max(uint64(s.count.Load()), total)
		to <- prometheus.MustNewConstHistogram(metricSeconds, all, float64(s.spent.Load())/1e9, buckets, name, kind)
		count(metricErrors, float64(s.errors.Load()), name, kind)
		count(metricCodec, float64(s.coding.Load())/1e9, name, kind)
		count(metricBytes, float64(s.in.Load()), name, kind, "in")
		count(metricBytes, float64(s.out.Load()), name, kind, "out")
	}
	c.flow.mu.Lock()
	ok, refused := c.flow.reloads, c.flow.refused
	c.flow.mu.Unlock()
	count(metricReloads, float64(ok), "ok")
	count(metricReloads, float64(refused), "refused")
	running := max(g.running.Load()-3, 0) // without this one, which holds it twice, and that it is the current one
	to <- prometheus.MustNewConstMetric(metricRunning, prometheus.GaugeValue, float64(running))
}
