export class ProgressPrinter {
  private readonly started = performance.now();

  say(sentence: string): void {
    const seconds = ((performance.now() - this.started) / 1000).toFixed(1).padStart(6);
    const [first = '', ...more] = sentence.split('\n');
    console.log([`${seconds} s  ${first}`, ...more.map((line) => `          ${line}`)].join('\n'));
  }

  /** Prints the step after it has ended, with its duration. */
  async step<T>(done: string | ((result: T) => string), work: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    const result = await work();
    const sentence = typeof done === 'string' ? done : done(result);
    this.say(`${sentence} (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
    return result;
  }
}
