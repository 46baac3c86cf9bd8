import { missingMoneyOf, playDay, type DayOptions } from './shop-day';

const options: DayOptions = {
  seed: 7,
  day: new Date('2026-11-19T18:00:00Z'),
  wallets: [
    { provider: 'BKASH', accountType: 'PERSONAL', msisdn: '01711000001', simSlot: 1 },
    { provider: 'NAGAD', accountType: 'AGENT', msisdn: '01811000002', simSlot: 2 },
  ],
  texts: 400,
  lost: 0.05,
  resent: 0.05,
  forged: 2,
};

describe('a shop’s day', () => {
  const day = playDay(options);

  it('is the same for the same seed and another for another', () => {
    expect(playDay(options)).toEqual(day);
    expect(playDay({ ...options, seed: 8 }).inbox[0]).not.toEqual(day.inbox[0]);
  });

  it('has balances that follow from one text to the next, the lost ones included', () => {
    for (const wallet of options.wallets) {
      const received = day.inbox.filter((text) => text.wallet === wallet && text.balance !== null);

      const followed = received.slice(1).map((text, index) => (received[index]?.balance ?? 0) + text.effect);
      expect(received.length).toBeGreaterThan(100);
      expect(received.slice(1).map(({ balance }) => balance)).toEqual(followed);
    }
  });

  it('forwards every text that was not lost, some of them twice, and no lost one', () => {
    const firsts = day.deliveries.filter(({ isResend }) => !isResend).flatMap(({ texts }) => texts);
    const agains = day.deliveries.filter(({ isResend }) => isResend).flatMap(({ texts }) => texts);

    expect(new Set(firsts.map(({ id }) => id)).size).toBe(firsts.length);
    expect(firsts).toHaveLength(day.inbox.filter(({ isLost }) => !isLost).length);
    expect(agains.length).toBeGreaterThan(5);
    expect([...firsts, ...agains].filter(({ isLost }) => isLost)).toEqual([]);
  });

  it('sends what came while the phone was offline in one go, and some texts after later ones', () => {
    expect(Math.max(...day.deliveries.map(({ texts }) => texts.length))).toBeGreaterThan(10);
    const singles = day.deliveries.filter(({ texts, isResend }) => texts.length === 1 && !isResend);
    const times = singles.map(({ texts: [text] }) => text?.happenedAt.getTime() ?? 0);
    expect(times.some((time, index) => time < (times[index - 1] ?? 0))).toBe(true);
  });

  it('lists the gaps of lost texts: the money between the surrounding texts, with their minutes', () => {
    const missing = missingMoneyOf(day.inbox);
    const [first] = missing;
    if (first === undefined) throw new Error('nothing was lost');
    const received = day.inbox.filter((text) => text.wallet === first.wallet && text.balance !== null);
    const at = received.findIndex(({ isLost }, index) => isLost && received[index - 1]?.isLost === false);
    const after = received.findIndex(({ isLost }, index) => index > at && !isLost);

    expect(first.amount).toBe(
      (received[after]?.balance ?? 0) - (received[after]?.effect ?? 0) - (received[at - 1]?.balance ?? 0),
    );
    expect(first.from.getTime() % 60_000).toBe(0);
    expect(missing.length).toBeGreaterThan(3);
  });
});
