import { eventually } from '@pay/testing';

export interface ReceivedEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: any;
  readonly at: number;
}

export interface EventSource {
  readonly status: number;
  readonly headers: Headers;
  /** The received text, unparsed. */
  readonly text: () => string;
  readonly received: readonly ReceivedEvent[];
  readonly hasEnded: () => boolean;
  /** Waits for an event of the view that satisfies the condition. */
  until(isSo: (view: any) => boolean, what: string): Promise<ReceivedEvent>;
  ended(): Promise<void>;
  close(): void;
}

/** Receives events like a browser, without parsing errors being hidden and without reconnecting. */
export async function listen(url: string, headers: Record<string, string> = {}): Promise<EventSource> {
  const abort = new AbortController();
  const response = await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal: abort.signal });
  const received: ReceivedEvent[] = [];
  let text = '';
  let parsed = 0;
  let over = false;

  function parse(): void {
    for (let end = text.indexOf('\n\n', parsed); end !== -1; end = text.indexOf('\n\n', parsed)) {
      const fields = text.slice(parsed, end).split('\n');
      parsed = end + 2;
      const field = (name: string) => fields.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const event = field('event');
      if (event === undefined) continue;
      received.push({ event, id: field('id'), data: JSON.parse(field('data') ?? 'null'), at: performance.now() });
    }
  }

  async function read(): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const part of response.body ?? []) {
        text += decoder.decode(part, { stream: true });
        parse();
      }
    } catch {
      // Closed by the test, or interrupted.
    }
    over = true;
  }
  void read();

  return {
    status: response.status,
    headers: response.headers,
    text: () => text,
    received,
    hasEnded: () => over,
    until: (isSo, what) =>
      eventually(
        () => received.find(({ event, data }) => event === 'checkout' && isSo(data)),
        `the stream says ${what}`,
      ),
    ended: async () => {
      await eventually(() => over, 'the stream has ended');
    },
    close: () => abort.abort(),
  };
}
