import { challengeBody, problemOfAnswer } from './challenge';

const answered = (response: string, httpStatus = 200) =>
  problemOfAnswer({ outcome: httpStatus < 300 ? 'SUCCESS' : 'HTTP_4XX', httpStatus, response }, 'secret-text');

test('the challenge is at the top level and in data', () => {
  const body = challengeBody('LIVE', new Date('2026-11-21T10:00:00Z'), 'abc');

  expect(JSON.parse(body)).toMatchObject({ environment: 'LIVE', challenge: 'abc', data: { challenge: 'abc' } });
});

test('a response with the challenge verifies the endpoint, whatever else it contains', () => {
  expect(answered('{"challenge":"secret-text"}')).toBeUndefined();
  expect(answered(' {"ok": true, "challenge": "secret-text"} ', 201)).toBeUndefined();
});

test.each([
  ['the bare text', 'secret-text'],
  ['another text', '{"challenge":"secret-tex"}'],
  ['a list', '["secret-text"]'],
  ['null', 'null'],
])('%s does not', (_, response) => {
  expect(answered(response)).toMatch(/^The endpoint answered 200 with/);
});

test('the shown part of a response has one line, no control characters and a maximum length', () => {
  const problem = answered(`a\r\nb\u0000\u202e${'c'.repeat(5_000)}`, 404);

  expect(problem).toMatch(/^The endpoint answered 404 with a b c+…; expected/);
  expect(problem?.length).toBeLessThan(320);
});

test('an unreachable endpoint is reported by class and code only', () => {
  expect(problemOfAnswer({ outcome: 'DNS', detail: 'NO_PUBLIC_ADDRESS' }, 'x')).toBe(
    'The endpoint could not be asked: DNS (NO_PUBLIC_ADDRESS).',
  );
});
