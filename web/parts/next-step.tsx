interface NextStepProps {
  /** What is missing, and what the commands do about it. */
  readonly what: string;
  readonly commands: readonly string[];
}

/** What stands where nothing is yet: the command that leads on. */
export const NextStep = ({ what, commands }: NextStepProps) => (
  <section aria-label="What to do next" class="card">
    <h2 class="first">{what}</h2>
    <pre class="command" tabIndex={0}>
      {commands.join('\n')}
    </pre>
  </section>
);
