package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/weftcodec/weft/flow"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// traces returns the option by which spans go where the environment says, or one that does nothing, and what sends
// the last of them.
func traces(ctx context.Context) (flow.Option, func(), error) {
	if os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") == "" && os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") == "" {
		return flow.Trace(nil), func() {}, nil
	}
	to, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("traces: %w", err)
	}
	about, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "weft-flow")), resource.WithFromEnv())
	if err != nil {
		return nil, nil, fmt.Errorf("traces: %w", err)
	}
	provider := sdk.NewTracerProvider(sdk.WithBatcher(to), sdk.WithResource(about))
	return flow.Trace(provider.Tracer("github.com/weftcodec/weft/flow")), func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_ = provider.Shutdown(end)
	}, nil
}
