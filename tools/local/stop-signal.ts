/** Thrown between two steps of a start after a stop was requested. */
export class StopRequested extends Error {}

/** Ctrl-C, SIGTERM, a closed terminal, or a parent that is gone: all of them mean to end in order. */
export class StopSignal {
  private reason: string | undefined;
  private resolve: (reason: string) => void = () => undefined;
  readonly requested = new Promise<string>((resolve) => (this.resolve = resolve));

  listen(): void {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => this.request(signal));
    process.on('disconnect', () => this.request('the end of the parent process'));
    if (process.env['npm_lifecycle_event'] !== undefined) this.watchNpm();
  }

  /**
   * npm runs this program through a shell that does not forward signals: if npm is ended, the shell ends and this
   * process gets another parent.
   */
  private watchNpm(): void {
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) this.request('the end of npm');
    }, 1_000).unref();
  }

  request(reason: string): void {
    this.reason ??= reason;
    this.resolve(this.reason);
  }

  /** To be called between steps. */
  check(): void {
    if (this.reason !== undefined) throw new StopRequested();
  }
}
