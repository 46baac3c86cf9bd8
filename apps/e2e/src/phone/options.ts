import { parseArgs } from 'node:util';
import { FORWARDERS } from './forwarders';

/** Used for validation and for the help text. */
const RANGES = {
  texts: { least: 20, most: 100_000, whole: true },
  lost: { least: 0, most: 1 },
  resent: { least: 0, most: 1 },
  forged: { least: 0, most: 1_000, whole: true },
  seed: { least: 0, most: 2 ** 32 - 1, whole: true },
  speed: { least: 0.001, most: 1_000_000 },
} as const satisfies Record<string, Range>;

interface Range {
  readonly least: number;
  readonly most: number;
  readonly whole?: boolean;
}

const rangeOf = (name: keyof typeof RANGES) => `${RANGES[name].least} to ${RANGES[name].most}`;

export const USAGE = `npm run phone -- [options]
Simulates a day of a shop's phone and forwards it to the gateway in the format of a forwarder app: payments in bursts, other texts,
hours without network, texts that are sent twice or out of order, lost texts and forged texts.

  --app NAME         ${Object.keys(FORWARDERS).join(', ')} (default own-api)
  --url URL          URL to which the app sends: a forwarder hook; default with own-api: /v1/sms-events/incoming of the running system
  --secret TEXT      signing secret of the app; with own-api the device key (default: device key of the first merchant)
  --texts N          number of texts of the day, ${rangeOf('texts')} (default 300)
  --lost SHARE       share of the texts that the app does not receive, ${rangeOf('lost')} (default 0.05)
  --resent SHARE     share of the texts that the app sends twice, ${rangeOf('resent')} (default 0.05)
  --forged N         number of forged texts, ${rangeOf('forged')} (default 1)
  --wallets LIST     comma-separated list of provider:account type:number:SIM (default: bKash and Nagad of the first merchant)
                     Example: bkash:personal:01711000001:1,nagad:agent:01811000002:2
  --day YYYY-MM-DD   the simulated day, in Asia/Dhaka (default: yesterday)
  --seed N           seed of the random numbers, ${rangeOf('seed')}; the same seed gives the same day (default 1)
  --speed N          speed as a multiple of real time, ${rangeOf('speed')} (default: as fast as responses arrive)
  --reread           some minutes later, send the missing texts that the gateway requests (own-api only)
  --print            print the day as JSON lines and send nothing
  --run-dir FOLDER   folder of the running system (default .run)
  --help             print this text`;

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

/** Undefined for --help. Throws a UsageError that names the option. */
export function readOptions(args: readonly string[]): PhoneOptions | undefined {
  const { values } = parse(args);
  if (values.help) return undefined;
  const app = values.app ?? 'own-api';
  if (!Object.hasOwn(FORWARDERS, app))
    throw new UsageError(`--app must be one of ${Object.keys(FORWARDERS).join(', ')}. Example: --app own-api`);
  if (app !== 'own-api' && !values.print && (values.url === undefined || values.secret === undefined)) {
    throw new UsageError(
      `--url and --secret are required with --app ${app}; create a forwarder hook in the dashboard. ` +
        `Example: npm run phone -- --app ${app} --url http://127.0.0.1:8080/v1/sms-events/hooks/<token> --secret <secret>`,
    );
  }
  return {
    app,
    url: values.url,
    secret: values.secret,
    texts: numberIn('texts', values.texts ?? '300'),
    lost: numberIn('lost', values.lost ?? '0.05'),
    resent: numberIn('resent', values.resent ?? '0.05'),
    forged: numberIn('forged', values.forged ?? '1'),
    wallets: values.wallets,
    day: values.day,
    seed: numberIn('seed', values.seed ?? '1'),
    speed: values.speed === undefined ? undefined : numberIn('speed', values.speed),
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
        app: text,
        url: text,
        secret: text,
        texts: text,
        lost: text,
        resent: text,
        forged: text,
        wallets: text,
        day: text,
        seed: text,
        speed: text,
        'run-dir': text,
        reread: flag,
        print: flag,
        help: flag,
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function numberIn(name: keyof typeof RANGES, text: string): number {
  const { least, most, whole = false }: Range = RANGES[name];
  const value = text.trim() === '' ? Number.NaN : Number(text);
  const fits = value >= least && value <= most && (!whole || Number.isInteger(value));
  if (!fits) throw new UsageError(`--${name} must be a ${whole ? 'whole ' : ''}number from ${least} to ${most}`);
  return value;
}
