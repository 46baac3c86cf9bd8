export class StopRequested extends Error {
  constructor(reason: string) {
    super(`Stopped (${reason})`);
  }
}

/** Ctrl-C, SIGTERM, a closed terminal or the end of the parent: all request an orderly stop. */
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
   * npm runs this program through a shell that does not forward signals. If npm ends, the shell ends, and this process
   * gets another parent.
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

  /** Call it between steps. */
  check(): void {
    if (this.reason !== undefined) throw new StopRequested(this.reason);
  }

  /** Rejects at the first request. The work itself continues until the process ends. */
  async orStop<T>(work: Promise<T>): Promise<T> {
    const stopped = this.requested.then((reason) => {
      throw new StopRequested(reason);
    });
    return Promise.race([work, stopped]);
  }
}
