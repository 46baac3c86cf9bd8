import { endpointResults, weightOf, type AttemptResult } from './breaker';

const result = (over: Partial<AttemptResult>): AttemptResult => ({
  endpointId: 'a',
  url: 'https://a.example',
  outcome: 'SUCCESS',
  httpStatus: 200,
  isProbe: false,
  isFailing: false,
  askedSeconds: 0,
  earlyFailures: null,
  ...over,
});
const failure = (over: Partial<AttemptResult> = {}) => result({ outcome: 'HTTP_5XX', httpStatus: 500, ...over });

test.each([
  ['HTTP_5XX', 500, 1],
  ['HTTP_5XX', 503, 2],
  ['HTTP_4XX', 429, 2],
  ['HTTP_4XX', 404, 0],
  ['HTTP_REDIRECT', 302, 0],
  ['GONE', 410, 0],
  ['TIMEOUT', null, 2],
  ['CONNECT', null, 1],
  ['INTERNAL', null, 0],
] as const)('%s %s weighs %i', (outcome, httpStatus, weight) => {
  expect(weightOf({ outcome, httpStatus, earlyFailures: null })).toBe(weight);
});

test.each([
  ['first', 'HTTP_5XX', 500, 1, 1],
  ['second', 'HTTP_5XX', 500, 0, 2],
  ['second', 'HTTP_5XX', 503, 2, 2],
  ['second', 'TIMEOUT', null, 2, 2],
  ['second', 'CONNECT', null, 1, 2],
] as const)('the %s early failure of a delivery, %s %s, weighs %i', (_, outcome, httpStatus, weight, earlyFailures) => {
  expect(weightOf({ outcome, httpStatus, earlyFailures })).toBe(weight);
});

test('a healthy endpoint that stays healthy needs no write', () => {
  expect(endpointResults([result({}), result({ endpointId: 'b' })])).toEqual([]);
});

test('failures of a batch are counted per endpoint, with the longest wait that it asked for', () => {
  const ofA = { endpointId: 'a', url: 'https://a.example', succeeded: false, failures: 3, weight: 4 };
  const ofB = { endpointId: 'b', url: 'https://a.example', succeeded: false, failures: 1, weight: 1 };

  expect(
    endpointResults([
      failure(),
      failure({ httpStatus: 503, askedSeconds: 60 }),
      failure({ askedSeconds: 30 }),
      failure({ endpointId: 'b', isProbe: true }),
    ]),
  ).toEqual([
    { ...ofA, probeFailed: false, askedSeconds: 60 },
    { ...ofB, probeFailed: true, askedSeconds: 0 },
  ]);
});

test.each([
  ['a success of one that was failing', [failure({ isFailing: true }), result({ isFailing: true })]],
  ['a success that came before anybody knew of the failure', [result({}), failure()]],
  ['a probe that succeeds', [result({ isProbe: true })]],
])('%s is a success', (_, results) => {
  expect(endpointResults(results)).toMatchObject([{ succeeded: true }]);
});

test('results of two URLs of an endpoint are counted separately', () => {
  const results = endpointResults([
    failure(),
    result({ url: 'https://b.example', isFailing: true }),
    failure({ url: 'https://b.example' }),
  ]);

  expect(results).toMatchObject([
    { endpointId: 'a', url: 'https://a.example', succeeded: false, failures: 1 },
    { endpointId: 'a', url: 'https://b.example', succeeded: true, failures: 1 },
  ]);
});

test.each(['INTERNAL', 'STALE_SOCKET'] as const)('%s says nothing about the endpoint, of a probe either', (outcome) => {
  expect(endpointResults([failure({ outcome, httpStatus: null, isProbe: true, isFailing: true })])).toEqual([]);
});
