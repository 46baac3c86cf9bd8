export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
}

/** The events of a stream as they arrive. Comments, which keep the connection open, are left out. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let unread = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const frames = (unread + value).split('\n\n');
      unread = frames.pop() ?? '';
      yield* frames.flatMap(eventOf);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function eventOf(frame: string): ServerSentEvent[] {
  const lines = frame.split('\n');
  const valueOf = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const event = valueOf('event');
  return event === undefined ? [] : [{ event, data: valueOf('data') ?? '' }];
}
