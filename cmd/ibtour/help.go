package main

import (
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// help puts the words of cobra and pflag into the language of the reader, for
// a command and those below it.
func (w *wording) help(root *cobra.Command) {
	root.SetUsageTemplate(strings.NewReplacer(
		english.usage, w.usage, english.examples, w.examples, english.commands, w.commands,
		english.flags, w.flags, english.more, w.more, english.anyCommand, w.anyCommand,
	).Replace(root.UsageTemplate()))
	usage := root.UsageFunc()
	root.SetUsageFunc(func(c *cobra.Command) error { return w.alignedUsage(c, usage) })
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	w.describe(root)
	for _, c := range root.Commands() {
		switch w.describe(c); c.Name() {
		case "help":
			c.Short, c.Long = w.helpShort, w.helpLong
		case "completion":
			c.Short, c.Long = w.completion, w.completionLong
			for _, shell := range c.Commands() {
				w.describe(shell)
				shell.Short = w.completionFor.With(shell.Name())
				load := loadCompletion[shell.Name()]
				shell.Long = shell.Short + w.loadCompletion.With(load[0], load[1])
				if shell.Name() == "bash" {
					shell.Long += w.bashPackage
				}
			}
		}
	}
}

// loadCompletion is how each shell loads a script: in this one, and in every
// new one.
var loadCompletion = map[string][2]string{
	"bash":       {"source <(ibtour completion bash)", "ibtour completion bash > /etc/bash_completion.d/ibtour"},
	"zsh":        {"source <(ibtour completion zsh)", `ibtour completion zsh > "${fpath[1]}/_ibtour"`},
	"fish":       {"ibtour completion fish | source", "ibtour completion fish > ~/.config/fish/completions/ibtour.fish"},
	"powershell": {"ibtour completion powershell | Out-String | Invoke-Expression", "ibtour completion powershell >> $PROFILE"},
}

// describe completes the descriptions of options: the default value stands
// behind, unless it is nothing.
func (w *wording) describe(c *cobra.Command) {
	c.InitDefaultHelpFlag()
	c.InitDefaultVersionFlag()
	c.Flags().VisitAll(func(f *pflag.Flag) {
		switch f.Name {
		case "help":
			f.Usage = w.helpFor.With(c.Name())
		case "version":
			f.Usage = w.versionFor.With(c.Name())
		case "no-descriptions":
			f.Usage = w.noDescriptions
		}
		switch value, kind := f.DefValue, f.Value.Type(); {
		case value == "", value == "0", value == "0s", value == "false":
		case kind == "string":
			f.Usage, f.DefValue = f.Usage+w.byDefault.With(strconv.Quote(value)), ""
		default:
			f.Usage, f.DefValue = f.Usage+w.byDefault.With(value), "0"
		}
	})
}

// alignedUsage writes the usage of a command. Its options are in columns of
// bytes; on the screen a Chinese character has three bytes and two cells. That
// there are options is written by cobra, in English.
func (w *wording) alignedUsage(c *cobra.Command, usage func(*cobra.Command) error) error {
	var b strings.Builder
	out := c.OutOrStderr()
	c.SetOut(&b)
	err := usage(c)
	c.SetOut(out)
	lines, width := strings.Split(strings.Replace(b.String(), " "+english.anyFlag, " "+w.anyFlag, 1), "\n"), 0
	for _, l := range lines {
		if m := optionLine.FindStringSubmatch(l); m != nil {
			width = max(width, ansi.StringWidth(m[1]))
		}
	}
	for i, l := range lines {
		if m := optionLine.FindStringSubmatch(l); m != nil {
			lines[i] = m[1] + strings.Repeat(" ", width-ansi.StringWidth(m[1])+3) + m[2]
		}
	}
	_, werr := io.WriteString(out, strings.Join(lines, "\n"))
	return errors.Join(err, werr)
}

// optionLine is the line of an option and its description.
var optionLine = regexp.MustCompile(`^( +(?:-\w, )?--[\w-]+(?: \S+)?) {2,}(\S.*)$`)

// flagError puts an error of pflag into words.
func (w *wording) flagError(err error) error {
	var unknown *pflag.NotExistError
	var lacking *pflag.ValueRequiredError
	var bad *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return w.unknownShort.Err(unknown.GetSpecifiedName()[0], unknown.GetSpecifiedShortnames())
	case errors.As(err, &unknown):
		return w.unknownFlag.Err(unknown.GetSpecifiedName())
	case errors.As(err, &lacking) && lacking.GetSpecifiedShortnames() != "":
		return w.needsValueShort.Err(lacking.GetSpecifiedName()[0], lacking.GetSpecifiedShortnames())
	case errors.As(err, &lacking):
		return w.needsValue.Err(lacking.GetSpecifiedName())
	case errors.As(err, &bad):
		name := "--" + bad.GetFlag().Name
		if short := bad.GetFlag().Shorthand; short != "" {
			name = "-" + short + ", " + name
		}
		return w.badValue.Err(bad.GetValue(), name, w.kinds[bad.GetFlag().Value.Type()])
	}
	return err
}
