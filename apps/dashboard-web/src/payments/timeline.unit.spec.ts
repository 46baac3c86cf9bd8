import type { EvidenceFile } from '@pay/contracts';
import { timelineOf } from './timeline';

const at = (second: number) => `2026-11-23T10:00:0${second}.000Z`;

/** Only what the timeline reads. */
function aFile(parts: {
  payment?: object | null;
  judgement?: object | null;
  checkout?: object[] | null;
  webhooks?: object[] | null;
}): EvidenceFile {
  return {
    missing: [],
    payment: null,
    judgement: null,
    checkout: null,
    webhooks: null,
    ...parts,
  } as unknown as EvidenceFile;
}

const payment = { createdAt: at(0), paidAt: at(3), reviewRequiredAt: null };
const judgement = {
  sms: [{ smsEventId: 's1', ingestedAt: at(2) }],
  claims: [{ id: 'c1', submittedAt: at(1) }],
  decisions: [{ id: 'd1', decidedAt: at(3) }],
};
const webhooks = [
  {
    id: 'w1',
    createdAt: at(4),
    attempts: [
      { attempt: 1, startedAt: at(5) },
      { attempt: 2, startedAt: at(9) },
    ],
  },
];

describe('timelineOf', () => {
  it('merges the parts of all services by time', () => {
    const events = timelineOf(aFile({ payment, judgement, webhooks }));

    expect(events.map(({ is, at: time }) => [is, time])).toEqual([
      ['created', at(0)],
      ['claim', at(1)],
      ['sms', at(2)],
      ['decision', at(3)],
      ['paid', at(3)],
      ['webhook', at(4)],
      ['attempt', at(5)],
      ['attempt', at(9)],
    ]);
    expect(new Set(events.map(({ key }) => key)).size).toBe(events.length);
  });

  it('lists the checkout activity, with a method that the customer chose again twice', () => {
    const once = (second: number) => ({ firstAt: at(second), lastAt: at(second) });
    const checkout = [
      { action: 'viewed', ...once(0) },
      { action: 'method_chosen', paymentMethod: 'NAGAD_SEND_MONEY', firstAt: at(0), lastAt: at(2) },
      { action: 'method_chosen', paymentMethod: 'BKASH_SEND_MONEY', ...once(1) },
      { action: 'returned', outcome: 'PAID', ...once(3) },
      { action: 'returned', outcome: 'CANCELLED', ...once(2) },
      { action: 'cancelled', ...once(2) },
    ];

    const events = timelineOf(aFile({ payment, checkout }));

    expect(events.map(({ is, at: time }) => [is, time])).toEqual([
      ['created', at(0)],
      ['viewed', at(0)],
      ['method', at(0)],
      ['method', at(1)],
      ['method', at(2)],
      ['cancelled', at(2)],
      ['returned', at(2)],
      ['paid', at(3)],
      ['returned', at(3)],
    ]);
    expect(new Set(events.map(({ key }) => key)).size).toBe(events.length);
  });

  it('leaves out what did not happen, and the parts of services that do not answer', () => {
    expect(timelineOf(aFile({ payment }))).toHaveLength(2);
    expect(timelineOf(aFile({}))).toEqual([]);
  });
});
