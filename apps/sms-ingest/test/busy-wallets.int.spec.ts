import type { MerchantFact } from '@pay/contracts';
import { createLogger, createMetrics } from '@pay/runtime';
import { failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { balanceMetrics } from '../src/balances/balance-metrics';
import { followBalances } from '../src/balances/follow-balances';
import { startService, type ServiceUnderTest } from './service-under-test';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await startService({ without: ['follow-balances', 'open-missing-sms'] });
});
afterAll(() => service.stop());
failOnLeaks();

const MINUTE = 60_000;
const BEGIN = Date.UTC(2026, 10, 21, 4, 0);
/** Texts that arrive between two rounds of the worker. */
const AT_ONCE = 13;

interface Text {
  readonly id: string;
  /** Its minute and place. */
  readonly name: string;
  readonly at: Date;
  readonly receivedAt: Date;
  readonly balance: number;
}

/** The texts of a wallet that receives Tk 1 again and again: the given number in each minute. */
function textsOf(minutes: readonly number[]): Text[][] {
  let balance = 0;
  return minutes.map((size, minute) =>
    Array.from({ length: size }, (_, place) => {
      balance += 100;
      const at = BEGIN + minute * MINUTE;
      const receivedAt = new Date(at + place);
      return { id: uuidv7(), name: `${minute}.${place}`, at: new Date(at), receivedAt, balance };
    }),
  );
}

/** A wallet whose chain is followed after every few texts, of a merchant who reviews balance breaks. */
async function aWallet() {
  const chainId = uuidv7();
  await service.db.execute(
    `insert into balance_chains (id, merchant_id, environment, msisdn) values ($1, $2, 'LIVE', '01700000900')`,
    [chainId, uuidv7()],
  );
  const { db, messaging } = service;
  const directory = {
    merchant: () => Promise.resolve({ evidenceRules: { reviewBalanceBreaks: true } } as MerchantFact),
    receiverAccounts: () => Promise.resolve([]),
  };
  const log = createLogger({ service: 'sms-ingest', level: 'silent' });
  const metrics = balanceMetrics(createMetrics('sms-ingest'));
  const deps = { db, messaging, log, metrics, directory, newId: uuidv7, now: () => new Date() };
  const names = new Map<string, string>();
  const namesOf = (ids: readonly string[]) => ids.map((id) => names.get(id) ?? '');
  return {
    async receive(texts: readonly Text[], atOnce = AT_ONCE): Promise<void> {
      for (const { id, name } of texts) names.set(id, name);
      for (let n = 0; n < texts.length; n += atOnce) {
        await db.execute(
          `insert into balance_texts (sms_event_id, chain_id, at, received_at, balance, effects)
           select id, $1, at, "receivedAt", balance, array[100]
           from jsonb_to_recordset($2::jsonb) as given (id uuid, at timestamptz, "receivedAt" timestamptz, balance bigint)`,
          [chainId, JSON.stringify(texts.slice(n, n + atOnce))],
        );
        await followBalances(deps, new AbortController().signal);
      }
    },
    /** A text that has left the place, before which a gap was reported. */
    async leave(at: Date, name: string): Promise<void> {
      const id = uuidv7();
      names.set(id, name);
      await db.execute('insert into balance_rechecks (id, chain_id, at) values ($1, $2, $3)', [id, chainId, at]);
      await db.execute(
        `insert into missing_sms (id, merchant_id, environment, chain_id, msisdn, receiver_account_ids, direction, amount,
           missing_from, missing_to, status, seen_at, found_at, sms_event_id)
         select $1, merchant_id, environment, id, msisdn, '{}', 'IN', 100, $3, $3, 'OPEN', $3, $3, $1 from balance_chains where id = $2`,
        [id, chainId, at],
      );
    },
    /** The texts that do not continue their chain, by continuity. */
    async continuities(): Promise<Record<string, string[]>> {
      const rows = await db.query<{ verdict: string; ids: string[] }>(
        `select verdict, array_agg(sms_event_id order by at, received_at) as ids from balance_texts
         where chain_id = $1 and verdict <> 'FOLLOWS' group by verdict`,
        [chainId],
      );
      return Object.fromEntries(rows.map(({ verdict, ids }) => [verdict, namesOf(ids)]));
    },
    /** The texts behind missing ones. */
    async missing(): Promise<string[]> {
      const rows = await db.query<{ id: string }>(
        `select sms_event_id as id from missing_sms
         where chain_id = $1 and status <> 'EXPLAINED' and amount = 100 and direction = 'IN'`,
        [chainId],
      );
      return namesOf(rows.map(({ id }) => id));
    },
    async doubted(): Promise<string[]> {
      const rows = await db.query<{ id: string }>(
        `select sms_event_id as id from balance_texts where chain_id = $1 and is_doubted order by at, received_at`,
        [chainId],
      );
      return namesOf(rows.map(({ id }) => id));
    },
  };
}

const without = (texts: readonly Text[], ...lost: readonly Text[]) => texts.filter((text) => !lost.includes(text));

describe.each([
  ['10 texts a minute', [10, 10, 10, 10]],
  ['40 texts a minute', [40, 40, 40, 40]],
  ['60 texts a minute', [60, 60, 60, 60]],
  ['70 texts in one minute and then few', [70, 4, 4, 4, 4, 4]],
  ['240 texts a minute', [240, 240, 240, 240]],
])('a wallet with %s', (_rate, minutes) => {
  it('has its missing text found and its forged text passed over, and each other text follows', async () => {
    const wallet = await aWallet();
    const texts = textsOf(minutes);
    const [first = [], second = [], third = []] = texts;
    const [lost, honest] = [second[second.length / 2], third[third.length / 2]];
    if (lost === undefined || honest === undefined) throw new Error('invariant: each minute has texts');
    const forged = { ...honest, id: uuidv7(), name: 'forged', balance: 777_700 };
    const behindLost = `1.${second.length / 2 + 1}`;

    const came = without(texts.flat(), lost);
    await wallet.receive(came.flatMap((text) => (text === honest ? [text, forged] : [text])));
    expect(await wallet.continuities()).toEqual({ FIRST: [first[0]?.name], GAP: [behindLost], BREAK: ['forged'] });
    expect(await wallet.missing()).toEqual([behindLost]);

    await wallet.receive([lost]);
    expect(await wallet.continuities()).toEqual({ FIRST: [first[0]?.name], BREAK: ['forged'] });
    expect(await wallet.missing()).toEqual([]);
    expect(await wallet.doubted()).toEqual(['forged']);
  });
});

it('a minute with too many texts is not checked, nor are the minute and fifteen texts next to it', async () => {
  const wallet = await aWallet();
  const texts = textsOf([20, 10, 1_500, 10, 20, 10]);
  await wallet.receive(texts.flat(), 1_570);

  const left = [texts[1], texts[2], texts[3]].flatMap((minute) => minute ?? []);
  const nextTo = [...(texts[0]?.slice(-15) ?? []), ...left, ...(texts[4]?.slice(0, 15) ?? [])];
  expect(await wallet.continuities()).toEqual({ FIRST: ['0.0'], UNJUDGED: nextTo.map(({ name }) => name) });
});

it('reported gaps stay open at places in such a minute and the two minutes next to it on each side, and nowhere else', async () => {
  const wallet = await aWallet();
  const minutes = textsOf([20, 20, 10, 1_500, 10, 20, 10]);
  for (const [minute, texts] of minutes.entries()) await wallet.leave(texts[0]!.at, `place in minute ${minute}`);
  await wallet.receive(minutes.flat(), 1_590);

  expect((await wallet.missing()).sort()).toEqual([1, 2, 3, 4, 5].map((minute) => `place in minute ${minute}`));
});

it.each([322, 323, 324, 325, 326, 327, 328, 329, 330])(
  'two late texts that arrive together, the second in minute %d, leave no doubt about the texts after them',
  async (minute) => {
    const wallet = await aWallet();
    const texts = textsOf(Array.from({ length: 500 }, () => 1)).flat();
    const late = texts.filter((_, n) => n === 100 || n === minute);
    await wallet.receive(without(texts, ...late), 500);
    expect(await wallet.missing()).toEqual(['101.0', `${minute + 1}.0`]);

    await wallet.receive(late);
    expect(await wallet.missing()).toEqual([]);
    expect(await wallet.doubted()).toEqual([]);
  },
);
