import { createHash } from 'node:crypto';
import { bkashSendMoneyText, eventually, failOnLeaks } from '@pay/testing';
import { aPhone, phoneApi, startService, type PhoneUnderTest, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

interface InboxMessage {
  readonly sender: string;
  readonly message: string;
  readonly receivedAt: string;
  readonly clientMessageId: string;
  readonly simSlot: number;
}

const DAY_MS = 86_400_000;
let number = 0;

/** As a phone keeps it: spread over the last five days. */
function anSms(of = 0): InboxMessage {
  number += 1;
  const receivedAt = new Date(Date.now() - (of % 5) * DAY_MS - number).toISOString();
  const message = bkashSendMoneyText({ amount: String(500 + number) });
  return { sender: 'bKash', message, receivedAt, clientMessageId: `sms-${number}`, simSlot: 1 };
}

/** What a phone must compute according to docs/devices.md. */
function daysOf(inbox: readonly InboxMessage[]): Map<string, { count: number; digest: string }> {
  const days = new Map<string, { count: number; digest: bigint }>();
  for (const { receivedAt, simSlot, clientMessageId } of inbox) {
    const place = `${new Date(receivedAt).toISOString().slice(0, 10)} ${simSlot}`;
    const { count, digest } = days.get(place) ?? { count: 0, digest: 0n };
    const hash = createHash('sha256').update(clientMessageId).digest().readBigUInt64BE(0);
    days.set(place, { count: count + 1, digest: digest ^ hash });
  }
  return new Map(
    [...days].map(([place, { count, digest }]) => [place, { count, digest: digest.toString(16).padStart(16, '0') }]),
  );
}

describe('the watermark', () => {
  let service: ServiceUnderTest;
  let phone: PhoneUnderTest;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    phone = await aPhone(service.db);
  });

  const api = (of = phone) => phoneApi(service.url, of.deviceKey);
  const forward = (messages: readonly InboxMessage[], of = phone) => api(of).incoming({ messages });
  const idsOf = (messages: readonly InboxMessage[]) => messages.map(({ clientMessageId }) => clientMessageId);

  /** A phone's part of it: asks which days differ, and which messages of those are missing. */
  async function findMissing(inbox: readonly InboxMessage[], of = phone): Promise<string[]> {
    const { body } = await api(of).watermark();
    const known = new Map(
      (body.days as any[]).map(({ day, simSlot, count, digest }) => [`${day} ${simSlot}`, { count, digest }]),
    );
    const differing = new Set(
      [...daysOf(inbox)]
        .filter(([place, own]) => JSON.stringify(known.get(place)) !== JSON.stringify(own))
        .map(([place]) => place.split(' ')[0]),
    );
    const asked = inbox.filter(({ receivedAt }) => differing.has(receivedAt.slice(0, 10)));
    const { body: answer } = await api(of).compare(asked);
    return answer.missing;
  }

  it('finds exactly the missing messages in two requests', async () => {
    const inbox = Array.from({ length: 300 }, (_, index) => anSms(index));
    const lost = inbox.filter((_, index) => index % 37 === 0 && index % 5 < 2);
    await forward(inbox.filter((sms) => !lost.includes(sms)));

    expect(lost.length).toBeGreaterThan(2);
    expect(await findMissing(inbox)).toEqual(idsOf(lost));

    await forward(lost);
    expect(await findMissing(inbox)).toEqual([]);
    const { body } = await api().watermark();
    const newest = inbox
      .map(({ receivedAt }) => receivedAt)
      .sort()
      .at(-1);
    expect(body.receivedThrough).toBe(newest);
    expect(body.days).toHaveLength(daysOf(inbox).size);
  });

  it('counts a message of another phone once this phone has sent it too', async () => {
    const other = await aPhone(service.db, { sharedWith: phone });
    const inbox = [anSms(), anSms(), anSms()];
    await forward(
      inbox.map((sms) => ({ ...sms, clientMessageId: `other ${sms.clientMessageId}` })),
      other,
    );
    expect(await findMissing(inbox)).toEqual(idsOf(inbox));

    const { body } = await forward(inbox);
    // Sent twice: the second time changes nothing.
    await forward(inbox);

    expect(body.results.map(({ duplicate }: { duplicate: boolean }) => duplicate)).toEqual([true, true, true]);
    await eventually(async () => (await findMissing(inbox)).length === 0, 'the repeats are noted');
    expect(
      await findMissing(
        inbox.map((sms) => ({ ...sms, clientMessageId: `other ${sms.clientMessageId}` })),
        other,
      ),
    ).toEqual([]);
  });

  it('counts a message that was sent twice once', async () => {
    const inbox = [anSms(), anSms()];
    await forward(inbox);
    await forward(inbox);

    expect(await findMissing(inbox)).toEqual([]);
    expect(await service.db.query('select from device_repeats where device_id = $1', [phone.deviceId])).toEqual([]);
  });

  it('counts only messages of this phone, also if another phone uses the same ids', async () => {
    const inbox = [anSms(), anSms()];
    await forward(inbox);
    const [otherDevice, colleague] = [
      await aPhone(service.db),
      await aPhone(service.db, { merchantId: phone.merchantId }),
    ];

    for (const each of [otherDevice, colleague]) {
      expect((await api(each).watermark()).body).toMatchObject({ receivedThrough: null, days: [] });
      expect((await api(each).compare(inbox)).body.missing).toEqual(idsOf(inbox));
    }
  });

  it('starts at the requested day, and refuses an invalid time and more than 500 messages', async () => {
    const [today, before] = [anSms(), anSms(3)];
    await forward([today, before]);
    const since = (await api().watermark(today.receivedAt)).body;

    expect(since.since).toBe(`${today.receivedAt.slice(0, 10)}T00:00:00.000Z`);
    expect(since.days.map(({ day }: { day: string }) => day)).toEqual([today.receivedAt.slice(0, 10)]);
    expect((await api().watermark('yesterday')).status).toBe(400);
    expect((await api().compare(Array.from({ length: 501 }, () => today))).status).toBe(400);
    expect((await api().compare([{ clientMessageId: '1' }])).body.message).toEqual([
      expect.stringMatching(/receivedAt is required/),
    ]);
  });
});
