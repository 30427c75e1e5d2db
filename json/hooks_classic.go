//go:build !(goexperiment.jsonv2 && go1.27)

package json

import (
	"errors"

	"github.com/weftcodec/weft/internal/plan"
)

// stdHook is the hook of encoding/json/v2's MarshalerTo and UnmarshalerFrom, which this toolchain does
// not have.
func stdHook() plan.Hook { return plan.Hook{Name: "std"} }

func marshalStd(any, encodeFlags) ([]byte, error) { return nil, errors.ErrUnsupported }

func unmarshalStd([]byte, any, encodeFlags) error { return errors.ErrUnsupported }

func marshalQuotedStd(any, encodeFlags) ([]byte, error) { return nil, errors.ErrUnsupported }

func unmarshalQuotedStd([]byte, any, encodeFlags) error { return errors.ErrUnsupported }
