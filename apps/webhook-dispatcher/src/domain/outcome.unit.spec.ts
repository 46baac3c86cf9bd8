import { shownReason, type Reason } from './outcome';

test.each<[string, Reason, Reason]>([
  [
    'a name that does not exist',
    { outcome: 'DNS', detail: 'ENOTFOUND' },
    { outcome: 'DNS', detail: 'NO_PUBLIC_ADDRESS' },
  ],
  [
    'a name of a private address',
    { outcome: 'BLOCKED_DNS', detail: 'ADDRESS_NOT_ALLOWED' },
    { outcome: 'DNS', detail: 'NO_PUBLIC_ADDRESS' },
  ],
  [
    'a refused connection',
    { outcome: 'CONNECT', detail: 'ECONNREFUSED' },
    { outcome: 'CONNECT', detail: 'ECONNREFUSED' },
  ],
  [
    'a lack of our own sockets',
    { outcome: 'CONNECT', detail: 'EMFILE' },
    { outcome: 'CONNECT', detail: 'CONNECTION_FAILED' },
  ],
  ['an error of our own', { outcome: 'INTERNAL', detail: 'ERR_OUT_OF_RANGE' }, { outcome: 'INTERNAL' }],
  ['a redirect', { outcome: 'HTTP_REDIRECT', detail: '/new' }, { outcome: 'HTTP_REDIRECT', detail: '/new' }],
])('%s is shown to merchants without details of our network', (_, internal, shown) => {
  expect(shownReason(internal)).toEqual(shown);
});
