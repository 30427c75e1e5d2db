package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/weftcodec/weft/cmd/weft/gen"
	"github.com/weftcodec/weft/json"
)

// listJSON writes the operations of api to w as one JSON object.
func listJSON(w io.Writer, api *gen.API) error {
	b, err := json.MarshalIndent(api, "", "  ")
	if err == nil {
		_, err = w.Write(append(b, '\n'))
	}
	return err
}

// listText writes the operations of api to w as text.
func listText(w io.Writer, api *gen.API) error {
	b := bufio.NewWriter(w)
	for _, s := range api.Schemes {
		fmt.Fprintf(b, "security %s: %s\n", s.Key, strings.TrimSpace(s.Kind+" "+s.Detail))
	}
	if len(api.Schemes) > 0 {
		fmt.Fprintln(b)
	}
	for i, o := range api.Operations {
		if i > 0 {
			fmt.Fprintln(b)
		}
		listOperation(b, o, "", "")
	}
	for _, o := range api.Webhooks {
		fmt.Fprintln(b)
		listOperation(b, o, "", "webhook ")
	}
	return b.Flush()
}

// listOperation writes an operation and, below it, what it takes and returns.
func listOperation(b *bufio.Writer, o *gen.Operation, indent, what string) {
	fmt.Fprintf(b, "%s%s%s  %s %s\n", indent, what, o.Name, o.Method, o.Path)
	for _, p := range o.Params {
		listParam(b, p, indent+"  ", p.In)
	}
	if o.Body != nil {
		for _, c := range o.Body.Contents {
			listContent(b, c, indent+"  body", o.Body.Required)
		}
	}
	for _, r := range o.Responses {
		if len(r.Contents) == 0 {
			fmt.Fprintf(b, "%s  %s\n", indent, r.Status)
		}
		for _, c := range r.Contents {
			listContent(b, c, indent+"  "+r.Status, true)
		}
		for _, h := range r.Headers {
			listParam(b, h, indent+"  "+r.Status+" ", "header")
		}
		for _, l := range r.Links {
			fmt.Fprintf(b, "%s  %s link %s: %s\n", indent, r.Status, l.Name, l.Operation)
		}
	}
	if len(o.Security) > 0 {
		fmt.Fprintf(b, "%s  security %s\n", indent, strings.Join(o.Security, " or "))
	}
	for _, c := range o.Callbacks {
		listOperation(b, c, indent+"  ", "callback ")
	}
}

// listParam writes a parameter or a header.
func listParam(b *bufio.Writer, p *gen.Param, indent, where string) {
	fmt.Fprintf(b, "%s%s %s: %s", indent, where, p.Wire, p.Type)
	if !p.Required {
		b.WriteString(", optional")
	}
	switch {
	case p.Media != "":
		b.WriteString(", as " + p.Media)
	case p.Style != defaultStyle(p.In):
		b.WriteString(", " + p.Style)
	}
	b.WriteByte('\n')
}

// defaultStyle is the style that a listing leaves out.
func defaultStyle(in string) string {
	if in == "path" || in == "header" {
		return "simple"
	}
	return "form"
}

// listContent writes a body.
func listContent(b *bufio.Writer, c *gen.Content, what string, required bool) {
	t := c.Type.String()
	if item := c.Item.String(); item != "" {
		t = strings.TrimSpace(t + " of items " + item)
	}
	fmt.Fprintf(b, "%s %s: %s", what, c.Media, cmp.Or(t, "bytes"))
	if !required {
		b.WriteString(", optional")
	}
	b.WriteByte('\n')
}
