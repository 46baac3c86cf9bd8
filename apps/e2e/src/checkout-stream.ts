import { request } from 'node:http';

export interface StreamedView {
  readonly status: string;
  readonly claim: string | undefined;
  /** Time of performance.now(). */
  readonly at: number;
}

/** Reads the event stream of a checkout like a browser, and keeps little data of each event. */
export class CheckoutStream {
  readonly views: StreamedView[] = [];
  hasEnded = false;
  lastEventId: string | undefined;
  private rest = '';
  private readonly waiting = new Set<() => void>();

  private constructor(private readonly stop: () => void) {}

  /** Waits for the first event. Throws unless the response is 200. */
  static open(baseUrl: string, intentId: string, lastEventId?: string): Promise<CheckoutStream> {
    return new Promise((resolve, reject) => {
      const headers = {
        accept: 'text/event-stream',
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      };
      const sent = request(new URL(`/v1/checkout/${intentId}/events`, baseUrl), { headers, agent: false });
      const stream = new CheckoutStream(() => sent.destroy());
      sent.on('error', (error) => {
        stream.end();
        reject(error);
      });
      sent.on('response', (response) => {
        if (response.statusCode !== 200) {
          response.resume();
          reject(new Error(`opening the stream returned ${response.statusCode}`));
          return;
        }
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          stream.receive(part);
          resolve(stream);
        });
        response.on('close', () => stream.end());
        response.on('error', () => undefined);
      });
      sent.end();
    });
  }

  /** Resolves when the stream has sent this status. */
  async until(status: string, withinMs = 25_000): Promise<StreamedView> {
    const deadline = performance.now() + withinMs;
    for (;;) {
      const view = this.views.find((each) => each.status === status);
      if (view) return view;
      const left = deadline - performance.now();
      if (left <= 0 || this.hasEnded) throw new Error(`the stream did not say ${status}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.waiting.add(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  close(): void {
    this.stop();
  }

  private receive(part: string): void {
    const frames = (this.rest + part).split('\n\n');
    this.rest = frames.pop() ?? '';
    for (const frame of frames) {
      const status = /^data: .*"status":"(\w+)"/m.exec(frame)?.[1];
      if (status === undefined) continue;
      this.lastEventId = /^id: (.+)$/m.exec(frame)?.[1];
      const claim = /^data: .*"claim":"(\w+)"/m.exec(frame)?.[1];
      this.views.push({ status, claim, at: performance.now() });
    }
    this.wake();
  }

  private end(): void {
    this.hasEnded = true;
    this.wake();
  }

  private wake(): void {
    for (const notify of this.waiting) notify();
    this.waiting.clear();
  }
}
