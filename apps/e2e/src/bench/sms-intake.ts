import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { ControlPlane } from '../control-plane';
import { PublicApi } from '../merchant-client';
import { ownMerchant } from '../own-merchant';
import { seededRandom } from '../phone/random';
import { personalWallets } from '../phone/read-wallets';
import { playDay } from '../phone/shop-day';
import { openWallet } from '../phone/wallet-day';
import { ownUrl, type MerchantAccess, type RunningSystem } from '../system';
import { atRest } from './at-rest';
import { besideFloor, type BesideFloor, type BesideFloorOptions } from './beside-floor';
import { FLOOR_CONNECTIONS, ratePerSecond } from './floors';

export interface SmsIntakeFigures {
  /** One SMS per request. It is durable when the request is answered. */
  readonly single: BesideFloor;
  /** Messages per second in batches, from several phones. */
  readonly batchPerSecond: number;
  /** Texts that one core parses per second, without HTTP and storage. */
  readonly parsedPerSecond: number;
}

export interface SmsIntakeOptions {
  readonly runDirectory: string;
  readonly seconds: number;
  /** Program that measures only the parsers. */
  readonly parseFile: string;
  readonly floor: BesideFloorOptions['floor'];
}

const BATCH = 100;
const PHONES = 8;
/** Generated before the measurement. */
const MOST_MESSAGES_PER_SECOND = 8_000;

/** A merchant's phone forwards texts to the port of sms-ingest, while all other services process the results. */
export async function measureSmsIntake(system: RunningSystem, options: SmsIntakeOptions): Promise<SmsIntakeFigures> {
  const { sandbox } = await ownMerchant(system, new ControlPlane(options.runDirectory, system));
  const api = new PublicApi(ownUrl(system, 'sms-ingest'), FLOOR_CONNECTIONS);
  const texts = textsFor(sandbox, MOST_MESSAGES_PER_SECOND * options.seconds * 4);
  const take = (): string => {
    const message = texts.pop();
    if (message === undefined) throw new Error('the prepared SMS are used up; increase MOST_MESSAGES_PER_SECOND');
    return message;
  };
  const post = async (body: string): Promise<void> => {
    const headers = { 'x-device-key': sandbox.deviceKey };
    const { status } = await api.call('POST', '/v1/sms-events/incoming', headers, body);
    if (status !== 202) throw new Error(`forwarding an SMS returned ${status}`);
  };
  const postOne = () => post(take());
  const batch = () => post(`{"messages":[${Array.from({ length: BATCH }, take).join(',')}]}`);
  try {
    const rest = () => atRest(system);
    const oneByOne = async () => {
      await ratePerSecond(postOne, FLOOR_CONNECTIONS, options.seconds / 4);
      return ratePerSecond(postOne, FLOOR_CONNECTIONS, options.seconds);
    };
    const single = await besideFloor(oneByOne, { floor: options.floor, rest });
    await ratePerSecond(batch, PHONES, options.seconds / 4);
    const batchPerSecond = BATCH * (await ratePerSecond(batch, PHONES, options.seconds));
    await rest();
    return { single, batchPerSecond, parsedPerSecond: await measureParsing(sandbox, options) };
  } finally {
    await api.close();
  }
}

/** Unique payments with consistent balances, one message per body. */
function textsFor(access: MerchantAccess, count: number): string[] {
  const random = seededRandom(randomInt(2 ** 32));
  const wallets = personalWallets(access).map((wallet) => ({ wallet, open: openWallet(wallet, 100_000_00, random) }));
  const now = Date.now();
  return Array.from({ length: count }, () => {
    const at = new Date(now);
    const { wallet, open } = random.pick(wallets);
    const { sender, text } = open.customerPays(at, random.whole(10, 500) * 100);
    return JSON.stringify({ sender, message: text, receiverMsisdn: wallet.msisdn, receivedAt: at.toISOString() });
  });
}

/** A separate process parses all texts of a simulated day repeatedly. */
async function measureParsing(access: MerchantAccess, { parseFile, seconds }: SmsIntakeOptions): Promise<number> {
  const wallets = personalWallets(access);
  const { inbox } = playDay({ seed: 1, wallets, day: new Date(), texts: 5_000, lost: 0, resent: 0, forged: 0 });
  const texts = inbox.map(({ sender, text, receivedAt }) => ({ sender, message: text, receivedAt }));
  const child = spawn(process.execPath, [parseFile, String(seconds)], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(texts));
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  await once(child, 'close');
  return (JSON.parse(Buffer.concat(output).toString()) as { textsPerSecond: number }).textsPerSecond;
}
