package dev.callbound.gateway.cli;

import dev.callbound.gateway.demo.DemoCommand;
import dev.callbound.gateway.demo.WarmUpCommand;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command {@code callbound}, with all that stands under it. */
@Command(
    name = "callbound",
    header = "Bounds every MCP tool call: a deadline, a classification, an outcome and a record.",
    synopsisSubcommandLabel = "COMMAND",
    versionProvider = Version.class,
    subcommands = {
      ServeCommand.class,
      StdioCommand.class,
      ExecCommand.class,
      DemoCommand.class,
      CheckCommand.class,
      ProfileCommand.class,
      RunsCommand.class,
      ShowCommand.class,
      UnknownCommand.class,
      SettleCommand.class,
      WaitingCommand.class,
      ApproveCommand.class,
      DenyCommand.class,
      CircuitsCommand.class,
      FaultsCommand.class,
      WarmUpCommand.class,
    },
    footer = {
      "",
      "Exit codes: 0 it worked, 1 it did not (or a check found a problem), 2 bad usage.",
      "",
      "First steps:",
      "  callbound demo                              see what it is for, in 20 seconds",
      "  callbound check --mcp-config .mcp.json      look at the servers you have",
      "  callbound serve --mcp-config .mcp.json      put it in front of them",
      "  callbound runs                              what happened"
    })
public final class CommandLineProgram implements Runnable {
  // Picocli acts on these two by itself, so there is no field for either.
  private static final OptionSpec HELP =
      OptionSpec.builder("-h", "--help")
          .usageHelp(true)
          .scopeType(ScopeType.INHERIT)
          .description("Show this help.")
          .build();

  private static final OptionSpec VERSION =
      OptionSpec.builder("-V", "--version")
          .versionHelp(true)
          .description("Show the version.")
          .build();

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      scope = ScopeType.INHERIT,
      defaultValue = "${env:CALLBOUND_LOG}",
      description = {
        "How much goes to the log on stderr: ${COMPLETION-CANDIDATES}.",
        "Default: CALLBOUND_LOG, else info for serve and stdio, warn for the rest."
      })
  private @Nullable LogLevel logLevel;

  @Option(
      names = "--color",
      paramLabel = "WHEN",
      scope = ScopeType.INHERIT,
      defaultValue = "auto",
      description =
          "Colours: ${COMPLETION-CANDIDATES}. auto: on a terminal, unless NO_COLOR is set.")
  private ColorWhen color = ColorWhen.AUTO;

  @Spec private @Nullable CommandSpec spec;

  /** For picocli. */
  CommandLineProgram() {}

  /**
   * Does what the command line says.
   *
   * @return the exit code: 0 it worked, 1 it did not, 2 the command line makes no sense
   */
  public static int run(String... arguments) {
    return commandLine().execute(arguments);
  }

  static CommandLine commandLine() {
    CommandLineProgram program = new CommandLineProgram();
    CommandLine line = new CommandLine(program);
    line.getCommandSpec().addOption(HELP);
    line.getCommandSpec().addOption(VERSION);
    // What follows a command that is to be executed is its own, options and all.
    Objects.requireNonNull(line.getSubcommands().get("exec")).setStopAtPositional(true);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setUsageHelpWidth(Style.WIDTH);
    line.setColorScheme(
        CommandLine.Help.defaultColorScheme(
            ColorWhen.AUTO.colored() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF));
    line.setExecutionExceptionHandler(Complaints::ofExecution);
    line.setParameterExceptionHandler(Complaints::ofUsage);
    line.setExecutionStrategy(program::execute);
    return line;
  }

  private int execute(ParseResult parsed) {
    ParseResult last = parsed;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    Object command = last.commandSpec().userObject();
    boolean serving = command instanceof ServeCommand || command instanceof StdioCommand;
    Logging.start(logLevel != null ? logLevel : serving ? LogLevel.INFO : LogLevel.WARN);
    return new CommandLine.RunLast().execute(parsed);
  }

  /** Without a command there is nothing to do but to say what there is. */
  @Override
  public void run() {
    throw new ParameterException(Program.of(spec), "which command? --help lists them");
  }

  /** The program that a command stands under. */
  static CommandLineProgram of(CommandLine command) {
    CommandLine top = command;
    while (top.getParent() != null) {
      top = top.getParent();
    }
    return top.getCommand();
  }

  /** How the command's output is to look. */
  Style style() {
    return color.colored() ? Style.COLORED : Style.PLAIN;
  }
}
