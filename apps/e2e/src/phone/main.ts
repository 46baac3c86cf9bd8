/** npm run phone: forwards a simulated day of a shop's phone. See --help. */
import { readSystem } from '../system';
import { forwardAll, type Forwarded } from './forward';
import { FORWARDERS } from './forwarders';
import { readOptions, UsageError, USAGE, type PhoneOptions } from './options';
import { personalWallets, readWallets } from './read-wallets';
import { rereadWhenAsked } from './reread-inbox';
import { missingMoneyOf, playDay, type ShopDay } from './shop-day';

/** Longer than a gateway waits for texts in transit. */
const REREAD_PATIENCE_MS = 5 * 60_000;
const DAY_MS = 86_400_000;
const DHAKA_OFFSET_MS = 6 * 3_600_000;

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) {
    print(USAGE);
    return;
  }
  const access =
    options.wallets !== undefined && options.url !== undefined && options.secret !== undefined
      ? undefined
      : firstMerchant(options);
  const day = playDay({
    ...options,
    wallets:
      options.wallets === undefined ? personalWallets(access?.sandbox ?? unreachable()) : readWallets(options.wallets),
    day: midnight(options.day),
  });
  if (options.print) {
    for (const text of day.inbox) print(JSON.stringify(text));
    return;
  }
  const url = options.url ?? `${access?.baseUrl ?? ''}/v1/sms-events/incoming`;
  const secret = options.secret ?? access?.sandbox.deviceKey ?? '';
  const forwarder = FORWARDERS[options.app]?.(url) ?? unreachable();
  const forwarded = await forwardAll(day.deliveries, { url, forwarder, secret, speed: options.speed });
  report(day, forwarded);
  if (options.reread) {
    print('heartbeats, until the gateway asks for what is missing');
    const access = { origin: new URL(url).origin, deviceKey: secret };
    const again = await rereadWhenAsked(day.inbox, { ...access, patienceMs: REREAD_PATIENCE_MS });
    print(`${again.windows} windows were requested again, and ${again.texts} texts sent from the inbox`);
  }
  if (forwarded.dropped.length > 0) process.exitCode = 1;
}

function firstMerchant({ runDirectory }: PhoneOptions) {
  try {
    const { baseUrl, merchants } = readSystem(runDirectory);
    const [merchant] = merchants;
    if (merchant !== undefined) return { baseUrl, sandbox: merchant.sandbox };
  } catch {
    // The error below covers every problem with the file.
  }
  throw new UsageError(
    `No system is running in ${runDirectory}: npm start begins one, or give --url, --secret and --wallets`,
  );
}

/** Midnight in Dhaka. Default: yesterday. */
function midnight(day: string | undefined): Date {
  const local = day ?? new Date(Date.now() + DHAKA_OFFSET_MS - DAY_MS).toISOString().slice(0, 10);
  const at = new Date(`${local}T00:00:00+06:00`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(local) || Number.isNaN(at.getTime())) {
    throw new UsageError('--day must be a date like 2026-11-20');
  }
  return at;
}

function report({ inbox, deliveries }: ShopDay, { requests, failures, dropped, ids }: Forwarded): void {
  const kinds = groupByKind(inbox);
  print('received by the phone');
  for (const [kind, texts] of [...kinds].sort(([one], [other]) => (one < other ? -1 : 1))) {
    print(`  ${kind.padEnd(24)}${String(texts.length).padStart(6)}${lostAmong(texts)}`);
  }
  print('sent by the app');
  print(
    `  deliveries              ${String(deliveries.length).padStart(6)}, ${deliveries.filter(({ isResend }) => isResend).length} of them again`,
  );
  print(`  requests                ${String(requests).padStart(6)}, ${failures} not accepted at first`);
  print(`  texts given up          ${String(dropped.length).padStart(6)}`);
  if (ids.size > 0) {
    print(
      `  texts taken             ${String(ids.size).padStart(6)}, ${[...ids.values()].filter(({ size }) => size > 1).length} stored twice`,
    );
  }
  print('what a balance chain should find missing');
  for (const { wallet, amount, from, to } of missingMoneyOf(inbox)) {
    const taka = (Math.abs(amount) / 100).toFixed(2);
    print(
      `  Tk ${taka.padStart(10)} ${amount > 0 ? 'reached' : 'left   '} ${wallet.provider} ${wallet.msisdn} between ${clock(from)} and ${clock(to)}`,
    );
  }
}

function groupByKind(inbox: ShopDay['inbox']): Map<string, ShopDay['inbox'][number][]> {
  const kinds = new Map<string, ShopDay['inbox'][number][]>();
  for (const text of inbox) kinds.set(text.kind, [...(kinds.get(text.kind) ?? []), text]);
  return kinds;
}

function lostAmong(texts: ShopDay['inbox']): string {
  const lost = texts.filter(({ isLost }) => isLost).length;
  return lost === 0 ? '' : `, ${lost} lost on the phone`;
}

function clock(at: Date): string {
  return new Date(at.getTime() + DHAKA_OFFSET_MS).toISOString().slice(11, 16);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function unreachable(): never {
  throw new Error('the options were checked for this');
}

main().catch((error: unknown) => {
  const isUsage = error instanceof UsageError;
  process.stderr.write(
    `${error instanceof Error ? (isUsage ? `${error.message}\nExample: npm run phone -- --texts 300 --forged 1 --seed 7\n"npm run phone -- --help" describes the options.` : (error.stack ?? error.message)) : String(error)}\n`,
  );
  process.exitCode = isUsage ? 2 : 1;
});
