import { parseArgs } from 'node:util';
import { FORWARDERS } from './forwarders';

export const USAGE = `npm run phone -- [options]
Plays a shop's day at its phone: payments in bursts, other texts, hours without network, texts sent twice and out of order, some lost,
some forged; and forwards it as one of the apps does that shops have on their phones.

  --app NAME         ${Object.keys(FORWARDERS).join(', ')} (default own-api)
  --url URL          where the app sends to: a forwarder hook's address; default with own-api: /v1/sms-events/incoming of the running system
  --secret TEXT      what the app signs with; with own-api the device key, default that of the running system's first merchant
  --texts N          how many texts come in that day (default 300)
  --lost SHARE       of the texts the app never sees (default 0.05)
  --resent SHARE     of the texts it sends twice (default 0.05)
  --forged N         forged texts among them (default 1)
  --wallets LIST     provider:account type:number:SIM, comma-separated; default bKash and Nagad of the first merchant
                     Example: bkash:personal:01711000001:1,nagad:agent:01811000002:2
  --day YYYY-MM-DD   the day that is played, in Bangladesh (default yesterday)
  --seed N           the same number plays the same day (default 1)
  --speed N          times as fast as the clock (default: as fast as answers come)
  --reread           afterwards send from the inbox what the gateway asks for, some minutes later (own-api)
  --print            print the day as JSON lines and send nothing
  --run-dir FOLDER   of the running system (default .run)
  --help`;

export interface PhoneOptions {
  readonly app: string;
  readonly url: string | undefined;
  readonly secret: string | undefined;
  readonly texts: number;
  readonly lost: number;
  readonly resent: number;
  readonly forged: number;
  readonly wallets: string | undefined;
  readonly day: string | undefined;
  readonly seed: number;
  readonly speed: number | undefined;
  readonly reread: boolean;
  readonly print: boolean;
  readonly runDirectory: string;
}

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Undefined when only the help is wanted. Throws UsageError with a sentence that names the option. */
export function readOptions(args: readonly string[]): PhoneOptions | undefined {
  const { values } = parse(args);
  if (values.help) return undefined;
  const app = values.app ?? 'own-api';
  if (!Object.hasOwn(FORWARDERS, app))
    throw new UsageError(`--app must be one of ${Object.keys(FORWARDERS).join(', ')}`);
  if (app !== 'own-api' && !values.print && (values.url === undefined || values.secret === undefined)) {
    throw new UsageError(`--url and --secret are needed with --app ${app}: make a hook in the dashboard`);
  }
  return {
    app,
    url: values.url,
    secret: values.secret,
    texts: numberIn('texts', values.texts ?? '300', { least: 20, most: 100_000, whole: true }),
    lost: numberIn('lost', values.lost ?? '0.05', { least: 0, most: 1 }),
    resent: numberIn('resent', values.resent ?? '0.05', { least: 0, most: 1 }),
    forged: numberIn('forged', values.forged ?? '1', { least: 0, most: 1_000, whole: true }),
    wallets: values.wallets,
    day: values.day,
    seed: numberIn('seed', values.seed ?? '1', { least: 0, most: 2 ** 32 - 1, whole: true }),
    speed: values.speed === undefined ? undefined : numberIn('speed', values.speed, { least: 0.001, most: 1_000_000 }),
    reread: values.reread ?? false,
    print: values.print ?? false,
    runDirectory: values['run-dir'] ?? '.run',
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        ...{ app: text, url: text, secret: text, texts: text, lost: text, resent: text, forged: text, wallets: text },
        ...{ day: text, seed: text, speed: text, 'run-dir': text, reread: flag, print: flag, help: flag },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function numberIn(
  name: string,
  text: string,
  { least, most, whole = false }: { least: number; most: number; whole?: boolean },
): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  const fits = value >= least && value <= most && (!whole || Number.isInteger(value));
  if (!fits) throw new UsageError(`--${name} must be a ${whole ? 'whole ' : ''}number from ${least} to ${most}`);
  return value;
}
