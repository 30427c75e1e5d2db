package main

import (
	"flag"
	"fmt"
	"slices"
	"strings"
)

func completionCommand() command {
	return command{
		name:  "completion",
		line:  "bash|zsh|fish",
		short: "print a script that completes weft's commands and flags in a shell",
		words: []string{"bash", "zsh", "fish"},
		run:   runCompletion,
		help: `
Completion prints a script that completes commands and flags. Load it in the current
shell with the command below, or in all shells by adding the command to the file:

  bash  source <(weft completion bash)           ~/.bashrc
  zsh   source <(weft completion zsh)            ~/.zshrc, after compinit
  fish  weft completion fish | source            ~/.config/fish/config.fish

The script completes commands, flags, flag values from a fixed set, and file names.`,
	}
}

func runCompletion(args []string, std streams) error {
	names, err := parse(flag.NewFlagSet("completion", flag.ContinueOnError), args)
	if err != nil {
		return err
	}
	scripts := map[string]func([]command) string{"bash": bashScript, "zsh": zshScript, "fish": fishScript}
	if len(names) != 1 || scripts[names[0]] == nil {
		return misuse("expected one shell: bash, zsh or fish")
	}
	_, err = fmt.Fprint(std.out, scripts[names[0]](commands()))
	return err
}

// visible returns the flags of a command, in order: help has none, all others
// have --help.
func (cmd command) visible() (list []*flag.Flag) {
	flags := flag.NewFlagSet(cmd.name, flag.ContinueOnError)
	if cmd.name != "help" {
		flags.Bool("help", false, "print all of the command")
	}
	if cmd.flags != nil {
		cmd.flags(flags)
	}
	flags.VisitAll(func(f *flag.Flag) {
		if f.Usage != "" {
			list = append(list, f)
		}
	})
	return list
}

// first returns what may stand first behind the name of a command.
func (cmd command) first(all []command) []string {
	if cmd.name == "help" {
		return commandNames(all)
	}
	return cmd.words
}

func commandNames(all []command) (names []string) {
	for _, cmd := range all {
		names = append(names, cmd.name)
	}
	return names
}

// isBool reports whether a flag stands without a value.
func isBool(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// quote returns s as a word of a shell; that of fish ends at no other character.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// completed returns the commands that a script knows: help is one of them.
func completed(all []command) []command {
	return append(slices.Clone(all), command{name: "help", short: "print all of a command"})
}

// globals are the flags that stand in the place of a command.
var globals = []string{"--help", "--version"}

func bashScript(all []command) string {
	var flags, values, first strings.Builder
	for _, cmd := range completed(all) {
		var names []string
		for _, f := range cmd.visible() {
			names = append(names, "--"+f.Name)
			if choices := cmd.choices[f.Name]; choices != nil {
				fmt.Fprintf(&values, "\t'%s --%s') words=%s ;;\n", cmd.name, f.Name, quote(strings.Join(choices, " ")))
			} else if !isBool(f) {
				fmt.Fprintf(&values, "\t'%s --%s') return ;;\n", cmd.name, f.Name)
			}
		}
		if names != nil {
			fmt.Fprintf(&flags, "\t%s) words=%s ;;\n", cmd.name, quote(strings.Join(names, " ")))
		}
		if words := cmd.first(all); words != nil {
			fmt.Fprintf(&first, "\t'2 %s') words=%s ;;\n", cmd.name, quote(strings.Join(words, " ")))
		}
	}
	names := append(commandNames(completed(all)), globals...)
	return `# bash completion for weft
_weft() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words= known=yes
	COMPREPLY=()
	if [[ $cur == '=' ]]; then
		cur=
	elif [[ $prev == '=' ]]; then
		prev=${COMP_WORDS[COMP_CWORD-2]}
	fi
	if ((COMP_CWORD == 1)); then
		COMPREPLY=($(compgen -W ` + quote(strings.Join(names, " ")) + ` -- "$cur"))
		return
	fi
	case "${COMP_WORDS[1]} $prev" in
` + values.String() + `	*) known= ;;
	esac
	if [[ -z $known && $cur == -* ]]; then
		case ${COMP_WORDS[1]} in
` + indent(flags.String()) + `		esac
	elif [[ -z $known ]]; then
		case "$COMP_CWORD ${COMP_WORDS[1]}" in
` + indent(first.String()) + `		esac
	fi
	COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _weft weft
`
}

// indent moves lines to the right by a tab.
func indent(lines string) string {
	if lines == "" {
		return ""
	}
	return "\t" + strings.ReplaceAll(strings.TrimSuffix(lines, "\n"), "\n", "\n\t") + "\n"
}

func zshScript(all []command) string {
	var list, cases strings.Builder
	escape := strings.NewReplacer(":", `\:`, "[", `\[`, "]", `\]`).Replace
	for _, cmd := range completed(all) {
		fmt.Fprintf(&list, "\t\t%s\n", quote(cmd.name+":"+escape(cmd.short)))
		var specs []string
		for _, f := range cmd.visible() {
			spec := "--" + f.Name + "[" + escape(f.Usage) + "]"
			if choices := cmd.choices[f.Name]; choices != nil {
				spec += ":" + f.Name + ":(" + strings.Join(choices, " ") + ")"
			} else if !isBool(f) {
				spec += ":" + f.Name + ":_files"
			}
			specs = append(specs, quote("*"+spec)) // it may be given again
		}
		if words := cmd.first(all); words != nil {
			specs = append(specs, quote("1:what:("+strings.Join(words, " ")+")"))
		}
		specs = append(specs, quote("*:file:_files"))
		fmt.Fprintf(&cases, "\t%s)\n\t\t_arguments \\\n\t\t\t%s ;;\n", cmd.name, strings.Join(specs, " \\\n\t\t\t"))
	}
	return `#compdef weft
_weft() {
	local -a commands
	commands=(
` + list.String() + `	)
	if ((CURRENT == 2)); then
		_describe command commands
		compadd -- ` + strings.Join(globals, " ") + `
		return
	fi
	shift words
	((CURRENT--))
	case $words[1] in
` + cases.String() + `	esac
}
if [[ $funcstack[1] == _weft ]]; then
	_weft "$@"
else
	compdef _weft weft
fi
`
}

func fishScript(all []command) string {
	var b strings.Builder
	b.WriteString("# fish completion for weft\n")
	line := func(when string, rest ...string) {
		fmt.Fprintf(&b, "complete -c weft -n %s %s\n", quote(when), strings.Join(rest, " "))
	}
	word := func(s string) string { return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'" }
	for _, g := range globals {
		line("__fish_use_subcommand", "-l", strings.TrimPrefix(g, "--"))
	}
	for _, cmd := range completed(all) {
		line("__fish_use_subcommand", "-f", "-a", cmd.name, "-d", word(cmd.short))
		in := "__fish_seen_subcommand_from " + cmd.name
		if words := cmd.first(all); words != nil {
			line("test (count (commandline -opc)) -eq 2; and "+in, "-f", "-a", word(strings.Join(words, " ")))
		}
		for _, f := range cmd.visible() {
			switch choices := cmd.choices[f.Name]; {
			case choices != nil:
				line(in, "-l", f.Name, "-x", "-a", word(strings.Join(choices, " ")), "-d", word(f.Usage))
			case isBool(f):
				line(in, "-l", f.Name, "-d", word(f.Usage))
			default:
				line(in, "-l", f.Name, "-r", "-d", word(f.Usage))
			}
		}
	}
	return b.String()
}
