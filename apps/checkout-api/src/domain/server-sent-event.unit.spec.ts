import { eventFrame, HEARTBEAT, retryFrame } from './server-sent-event';

it('frames end with an empty line and have one field a line', () => {
  expect(eventFrame({ event: 'checkout', id: '3-x', data: '{"a":"b\\nc"}' })).toBe(
    'event: checkout\nid: 3-x\ndata: {"a":"b\\nc"}\n\n',
  );
  expect(eventFrame({ event: 'end', data: '{}' })).toBe('event: end\ndata: {}\n\n');
  expect(retryFrame(1_234.5)).toBe('retry: 1235\n\n');
  expect(HEARTBEAT).toBe(':\n\n');
});
