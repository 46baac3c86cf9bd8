import { countPayments, failedRequests, problemsOf, RequestCounter, type LoadFigures } from './load-figures';

const once = new Map([['delivery', 1]]);

function figures(changed: Partial<LoadFigures> = {}): LoadFigures {
  return {
    payments: 2,
    lostPayments: 0,
    duplicatedPayments: 0,
    lostWebhooks: 0,
    duplicatedWebhooks: 0,
    repeatedWebhooks: 0,
    requests: 4,
    failures: {},
    slowestMs: 9,
    seconds: 1,
    perSecond: 2,
    ...changed,
  };
}

describe('counting payments under load', () => {
  it('finds nothing wrong when each payment has one event and one request of one delivery', () => {
    const counts = countPayments({
      paid: ['a', 'b'],
      events: new Map([
        ['a', 1],
        ['b', 1],
      ]),
      webhooks: new Map([
        ['a', once],
        ['b', once],
      ]),
    });

    expect(counts).toEqual({
      payments: 2,
      lostPayments: 0,
      duplicatedPayments: 0,
      lostWebhooks: 0,
      duplicatedWebhooks: 0,
      repeatedWebhooks: 0,
    });
  });

  it('counts a payment without an event as lost and one with two events as duplicated', () => {
    const events = new Map([['b', 2]]);

    expect(countPayments({ paid: ['a', 'b'], events, webhooks: new Map() })).toMatchObject({
      lostPayments: 1,
      duplicatedPayments: 1,
    });
  });

  it('distinguishes a lost webhook, a second delivery and a repeat of one delivery', () => {
    const webhooks = new Map([
      [
        'two deliveries',
        new Map([
          ['first', 1],
          ['second', 1],
        ]),
      ],
      ['repeated', new Map([['first', 3]])],
    ]);

    expect(countPayments({ paid: ['none', 'two deliveries', 'repeated'], events: new Map(), webhooks })).toMatchObject({
      lostWebhooks: 1,
      duplicatedWebhooks: 1,
      repeatedWebhooks: 2,
    });
  });

  it('ignores events and webhooks of payments that are not of this load', () => {
    const counts = countPayments({
      paid: [],
      events: new Map([['other', 2]]),
      webhooks: new Map([['other', new Map()]]),
    });

    expect(counts).toMatchObject({ payments: 0, duplicatedPayments: 0, lostWebhooks: 0 });
  });
});

describe('counting requests', () => {
  it('counts all, groups failed ones by route and reason, and keeps the slowest', () => {
    const counter = new RequestCounter();
    counter.ended('POST /a', 5);
    counter.ended('POST /a', 70.4, 'answered 503');
    counter.ended('POST /a', 1, 'answered 503');
    counter.ended('POST /b', 1, 'ECONNRESET');

    expect(counter.counts()).toEqual({
      requests: 4,
      failures: { 'POST /a: answered 503': 2, 'POST /b: ECONNRESET': 1 },
      slowestMs: 70,
    });
    expect(failedRequests(counter.counts())).toBe(3);
  });
});

describe('judging a row', () => {
  it.each([
    [{ payments: 0 }, 'no payment was played'],
    [{ lostPayments: 1 }, '1 payments lost'],
    [{ duplicatedPayments: 2 }, '2 payments duplicated'],
    [{ lostWebhooks: 3 }, '3 webhooks lost'],
    [{ duplicatedWebhooks: 4 }, '4 webhooks duplicated'],
  ])('finds %j wrong, also where requests may fail', (changed, problem) => {
    expect(problemsOf(figures(changed), { mayFail: false })).toEqual([problem]);
    expect(problemsOf(figures(changed), { mayFail: true })).toEqual([problem]);
  });

  it.each([
    [{ repeatedWebhooks: 5 }, '5 webhooks repeated'],
    [{ failures: { 'POST /a: answered 503': 6 } }, '6 requests failed, POST /a: answered 503'],
  ])('finds %j wrong unless processes are killed', (changed, problem) => {
    expect(problemsOf(figures(changed), { mayFail: false })).toEqual([problem]);
    expect(problemsOf(figures(changed), { mayFail: true })).toEqual([]);
  });
});
