package generators

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
)

// writeJava runs openapi-generator, which Maven fetches.
func writeJava(t *toolbox, version, dir string) error {
	for _, tool := range []string{"java", "mvn"} {
		if _, err := exec.LookPath(tool); err != nil {
			return errors.New(tool + " is not installed")
		}
	}
	if err := os.MkdirAll(t.jars, 0o755); err != nil {
		return err
	}
	jar := filepath.Join(t.jars, "openapi-generator-cli-"+version+".jar")
	if err := t.run(t.jars, "mvn", "-q", "-B", "dependency:copy", "-Dartifact=org.openapitools:openapi-generator-cli:"+version, "-DoutputDirectory="+t.jars); err != nil {
		return err
	}
	return t.run(dir, "java", "-jar", jar, "generate", "-g", "go", "-i", t.document, "-o", "models", "--package-name", "models",
		"--global-property", "models,modelDocs=false,modelTests=false,supportingFiles=utils.go", "--additional-properties", "withGoMod=false")
}

// writeOapi runs oapi-codegen.
func writeOapi(t *toolbox, dir string) error {
	return t.run(dir, "go", "run", "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen",
		"-generate", "types", "-package", "models", "-o", filepath.Join("models", "models.go"), t.document)
}

// writeOgen runs ogen without its clients and servers.
func writeOgen(t *toolbox, dir string) error {
	config := filepath.Join(dir, "ogen.yml")
	if err := os.WriteFile(config, []byte("generator: {features: {disable_all: true}}\n"), 0o600); err != nil {
		return err
	}
	return t.run(dir, "go", "run", "github.com/ogen-go/ogen/cmd/ogen", "--config", config, "--target", "models", "--package", "models", "--clean", t.document)
}
