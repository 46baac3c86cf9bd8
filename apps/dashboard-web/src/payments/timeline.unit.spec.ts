import type { EvidenceFile } from '@pay/contracts';
import { timelineOf } from './timeline';

const at = (second: number) => `2026-11-23T10:00:0${second}.000Z`;

/** Only what the timeline reads. */
function aFile(parts: {
  payment?: object | null;
  judgement?: object | null;
  webhooks?: object[] | null;
}): EvidenceFile {
  return { missing: [], payment: null, judgement: null, webhooks: null, ...parts } as unknown as EvidenceFile;
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

  it('leaves out what did not happen, and the parts of services that do not answer', () => {
    expect(timelineOf(aFile({ payment }))).toHaveLength(2);
    expect(timelineOf(aFile({}))).toEqual([]);
  });
});
