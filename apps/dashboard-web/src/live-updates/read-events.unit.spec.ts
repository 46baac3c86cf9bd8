import { readEvents } from './read-events';

function streamOf(...chunks: string[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
      controller.close();
    },
  });
}

async function eventsIn(stream: ReadableStream<Uint8Array>) {
  const events = [];
  for await (const event of readEvents(stream)) events.push(event);
  return events;
}

it('reads events that arrive in parts, without comments and without an unfinished one', async () => {
  const stream = streamOf(': open\n\nevent: chan', 'ged\ndata: {"a":1}\n', '\nevent: end\ndata: {}\n\nevent: half\nda');

  expect(await eventsIn(stream)).toEqual([
    { event: 'changed', data: '{"a":1}' },
    { event: 'end', data: '{}' },
  ]);
});

it('ends a stream that is not read to its end', async () => {
  let isCancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('event: end\ndata: {}\n\n')),
    cancel: () => {
      isCancelled = true;
    },
  });
  for await (const { event } of readEvents(stream)) {
    expect(event).toBe('end');
    break;
  }
  expect(isCancelled).toBe(true);
});
