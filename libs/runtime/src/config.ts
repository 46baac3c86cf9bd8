import { isIP } from 'node:net';
import { z } from 'zod';
import { passwordsIn, problemsOfBrokerUrl, problemsOfDatabaseUrl, TLS_OFF } from './connection-url';
import type { Logger } from './logger';
import { isProduction } from './production';
import { parseEncryptionKeys, type EncryptionKey } from './secret-box';
import { knownWordIn, weaknessOf } from './secret-strength';
import { settingsFromFiles } from './settings-from-files';
import { parseVerificationKeys, type VerificationKeySetting } from './verification-keys';

/** Every problem of a process's environment at once. The message names keys and what they are for, never values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly problems: readonly string[]) {
    super(`Invalid configuration:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

/** A whole number written in decimal digits. `Number` alone would also take "", "0x10" and "1e3". */
export function integer({ min = 0, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } = {}) {
  return z
    .string()
    .regex(/^-?\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));
}

/** A switch: true/false, 1/0, yes/no, on/off. */
export function flag() {
  return z.stringbool({ error: 'must be true or false' });
}

type Environment = Readonly<Record<string, string | undefined>>;

interface ProductionRule {
  /** Reasons not to start in production with this value, undefined where none is given. */
  readonly problemsOf: (value: string | undefined, env: Environment) => readonly string[];
  /** Secrets in a value: none of them may stand in another setting. */
  readonly secretsIn?: (value: string) => readonly string[];
}
const productionRules = z.registry<ProductionRule>();

/** Adds a check that is made in production only; all of them are made even when other settings are invalid. */
export function checkedInProduction<Schema extends z.ZodType>(
  schema: Schema,
  problemsOf: ProductionRule['problemsOf'],
): Schema {
  productionRules.add(schema, { problemsOf });
  return schema;
}

function secretRule(
  weakness: (value: string) => string | undefined,
  secretsIn: (value: string) => readonly string[],
): ProductionRule {
  return {
    secretsIn,
    problemsOf(value) {
      const reason = value === undefined ? undefined : weakness(value);
      return reason === undefined ? [] : [`must not be used in production: it ${reason}`];
    },
  };
}

/** At least 32 characters; in production none that others know or can guess. Never give it a default. */
export function secret() {
  return z
    .string()
    .min(32, 'must have at least 32 characters')
    .register(
      productionRules,
      secretRule(weaknessOf, (value) => [value]),
    );
}

/** The first signs, all verify. */
export type SecretList = readonly [string, ...string[]];

const MOST_SECRETS = 4;

/** The same for a secret that can be rotated while the service runs: one or more, separated by commas. Each is checked by itself. */
export function secrets() {
  return z
    .string()
    .transform((text, context): SecretList => {
      const [first = '', ...others] = partsOfList(text);
      const all: SecretList = [first, ...others];
      const refuse = (message: string) => context.addIssue({ code: 'custom', message });
      if (all.some((value) => value.length < 32)) refuse('must have at least 32 characters in each secret of the list');
      if (all.length > MOST_SECRETS) refuse(`must be at most ${MOST_SECRETS} secrets, separated by commas`);
      if (new Set(all).size !== all.length) refuse('must not contain the same secret twice');
      return all;
    })
    .register(productionRules, secretRule(weaknessOfList, partsOfList));
}

function partsOfList(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

function weaknessOfList(text: string): string | undefined {
  return partsOfList(text)
    .map(weaknessOf)
    .find((weakness) => weakness !== undefined);
}

/** `id:base64` of 32 bytes, separated by commas; the first one seals. Judged as secrets, one by one, in production. */
export function encryptionKeys() {
  return keys(parseEncryptionKeys);
}

/** `publisher/id:base64` of 32 bytes, separated by commas. Judged as secrets, one by one, in production. */
export function verificationKeys() {
  return keys(parseVerificationKeys);
}

function keys<Keys>(parse: (text: string) => Keys) {
  return z
    .string()
    .transform((text, context) => {
      try {
        return parse(text);
      } catch (error) {
        context.addIssue({
          code: 'custom',
          message: error instanceof RangeError ? error.message : 'has an invalid format',
        });
        return z.NEVER;
      }
    })
    .register(
      productionRules,
      secretRule(weaknessOfKeys, (text) => partsOfList(text).map((entry) => entry.slice(entry.indexOf(':') + 1))),
    );
}

/** The bytes themselves are checked: base64 hides that they are all the same. An id such as `local` tells where a key comes from. */
function weaknessOfKeys(text: string): string | undefined {
  const entries = text.split(',').map((entry) => entry.trim().split(':'));
  return entries
    .flatMap(([id = '', encoded = '']) => [
      knownWordIn(`${id}:${encoded}`),
      weaknessOf(Buffer.from(encoded, 'base64').toString('hex')),
    ])
    .find((weakness) => weakness !== undefined);
}

/** Networks, separated by commas, or `none`. Example: "10.0.0.0/8, fd00::/8" */
export function networks() {
  return z
    .string()
    .transform((text) => (text.trim() === 'none' ? [] : partsOfList(text).filter((part) => part !== '')))
    .refine((list) => list.every(isNetwork), 'must be CIDR ranges separated by commas, such as 10.0.0.0/8');
}

function isNetwork(text: string): boolean {
  const [address = '', length = '', ...rest] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return rest.length === 0 && /^\d{1,3}$/.test(length) && Number(length) <= bits;
}

/** `off-in-private-network` says that something else encrypts the connection, such as a service mesh. */
function tlsSetting(server: string) {
  return z
    .enum(['required', TLS_OFF])
    .default('required')
    .describe(`Whether production requires TLS to ${server}: required, or ${TLS_OFF} when the network itself encrypts`);
}

/** A fifth of a consumer's batch: five full ones fill it, and a process that dies gives few events back to be suspected. */
export const EVENTS_PER_MESSAGE = 20;

/** Accepts a day of the calendar. Example: "2026-11-23" */
function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** What every service needs to know. An app's schema is `z.object({ ...commonConfig, ...its own keys })`. */
export const commonConfig = {
  NODE_ENV: z
    .enum(['development', 'test', 'production'])
    .default('production')
    .describe(
      'Kind of installation: development, test or production; production rejects weak secrets and connections without TLS',
    ),
  HOST: z.string().default('127.0.0.1').describe('IP address that both HTTP servers listen on'),
  PORT: integer({ max: 65_535 }).describe('Port of the public HTTP server'),
  PRIVATE_PORT: integer({ max: 65_535 }).describe(
    'Port of the private HTTP server for health, metrics and internal routes',
  ),
  TRUSTED_PROXY_CIDRS: checkedInProduction(networks(), (value) =>
    value === undefined ? ['is required in production: set the networks of your reverse proxies, or none'] : [],
  )
    .default([])
    .describe(
      'CIDR ranges of the reverse proxies whose X-Forwarded-For header is trusted, separated by commas, or none',
    ),
  // The name contains SECRET but the value is not one.
  SECRETS_DIRECTORY: checkedInProduction(z.string(), () => [])
    .optional()
    .describe(
      'Folder with one file per setting, named after the setting; read for settings that are missing in the environment',
    ),
  RELEASE_VERSION: z.string().default('unknown').describe('Version of the running image, returned by /readyz'),
  RELEASE_COMMIT: z.string().default('unknown').describe('Commit of the running image, returned by /readyz'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Lowest log level that is written'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' })
    .register(productionRules, {
      problemsOf: (value, env) => problemsOfDatabaseUrl(value ?? '', env['DATABASE_TLS'] === TLS_OFF),
      secretsIn: passwordsIn,
    })
    .describe('URL of the Postgres database with the role of this service; in production with ?sslmode=verify-full'),
  DATABASE_TLS: tlsSetting('Postgres'),
  DATABASE_POOL_SIZE: integer({ min: 1, max: 200 })
    .default(10)
    .describe('Maximum number of Postgres connections per process'),
  AMQP_URL: z
    .url({ protocol: /^amqps?$/, error: 'must be an amqp:// or amqps:// URL' })
    .register(productionRules, {
      problemsOf: (value, env) => problemsOfBrokerUrl(value ?? '', env['AMQP_TLS'] === TLS_OFF),
      secretsIn: passwordsIn,
    })
    .describe('URL of RabbitMQ; in production amqps://'),
  AMQP_TLS: tlsSetting('RabbitMQ'),
  AMQP_NAMESPACE: z
    .string()
    .regex(/^[A-Za-z0-9._-]{0,60}$/, 'must be letters, digits, dots, dashes and underscores')
    .default('')
    .describe('Prefix of exchange and queue names; different prefixes let several systems share a broker'),
  AMQP_EVENTS_PER_MESSAGE: integer({ min: 1, max: 100 })
    .default(EVENTS_PER_MESSAGE)
    .describe(
      'Maximum number of events in one AMQP message; set 1 during an upgrade from a version that reads one event per message',
    ),
  EVENT_SIGNING_KEYS: encryptionKeys().describe(
    'Keys that sign the events of this service, as id:base64 of 32 bytes, separated by commas; the first signs. Do not share them with other services',
  ),
  EVENT_VERIFICATION_KEYS: verificationKeys().describe(
    'Keys that verify events of other services, as publisher/id:base64 of 32 bytes, separated by commas',
  ),
  EVENT_SIGNATURES: z
    .enum(['required', 'accept-unsigned'])
    .default('required')
    .describe(
      'Whether unsigned events are rejected: required, or accept-unsigned during an upgrade from a version that does not sign events',
    ),
  ROTATION_DATES: z
    .string()
    .transform((text, context) => {
      const entries = partsOfList(text).map((part) => part.split('='));
      if (entries.every(([setting = '', day = '']) => /^[A-Z_]+$/.test(setting) && isDay(day)))
        return new Map(entries.map(([setting = '', day = '']) => [setting, new Date(day)]));
      context.addIssue({
        code: 'custom',
        message: 'must be entries such as SESSION_SECRET=2026-11-23, separated by commas',
      });
      return z.NEVER;
    })
    .optional()
    .describe('Dates since when secrets are in use, as SETTING=YYYY-MM-DD, separated by commas; exported as a metric'),
  SHUTDOWN_SECONDS: integer({ min: 1, max: 600 })
    .default(25)
    .describe('Maximum seconds from SIGTERM to the end of the process; then it exits with unfinished work'),
} satisfies z.ZodRawShape;

/** DATABASE_URL, for programs that need nothing else, such as migrations; checked as a service checks it. */
export function databaseUrlOf(env: NodeJS.ProcessEnv): string {
  const { NODE_ENV, DATABASE_URL, DATABASE_TLS } = commonConfig;
  return loadConfig(z.object({ NODE_ENV, DATABASE_URL, DATABASE_TLS }), env).DATABASE_URL;
}

/** The settings of RabbitMQ as messaging takes them. */
export function brokerOf(config: {
  readonly AMQP_URL: string;
  readonly AMQP_NAMESPACE: string;
  readonly AMQP_EVENTS_PER_MESSAGE: number;
  readonly EVENT_SIGNING_KEYS: readonly EncryptionKey[];
  readonly EVENT_VERIFICATION_KEYS: readonly VerificationKeySetting[];
  readonly EVENT_SIGNATURES: 'required' | 'accept-unsigned';
}) {
  return {
    url: config.AMQP_URL,
    namespace: config.AMQP_NAMESPACE,
    eventsPerMessage: config.AMQP_EVENTS_PER_MESSAGE,
    eventKeys: {
      signing: config.EVENT_SIGNING_KEYS,
      verification: config.EVENT_VERIFICATION_KEYS,
      acceptUnsigned: config.EVENT_SIGNATURES === 'accept-unsigned',
    },
  };
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

/**
 * Reads a process's environment, and the files of SECRETS_DIRECTORY for settings that are not in it. An empty value counts as absent,
 * because that is what `${VAR:-}` in a manifest yields. Throws a ConfigError that lists every problem as `KEY: problem (description)`.
 */
export function loadConfig<Schema extends z.ZodObject>(schema: Schema, variables: NodeJS.ProcessEnv): z.infer<Schema> {
  const shape: Shape = schema.shape;
  const files = settingsFromFiles(Object.keys(shape), variables);
  const env = { ...variables, ...files.settings };
  const given: Record<string, string> = {};
  for (const key of Object.keys(shape)) {
    const value = env[key];
    if (value !== undefined && value !== '') given[key] = value;
  }
  const result = schema.safeParse(given);
  const problems = [
    ...files.problems,
    ...(result.error?.issues ?? []).map(({ path, message }) => {
      const key = String(path[0] ?? 'configuration');
      return { key, problem: shape[key] && !(key in given) ? 'is required' : message };
    }),
    ...(isProduction(env) ? productionProblems(shape, given, env) : []),
  ];
  if (result.success && problems.length === 0) return result.data;
  throw new ConfigError(
    problems.map(({ key, problem }) => {
      const field = shape[key];
      const description = field && descriptionOf(field);
      return `${key}: ${problem}${description === undefined ? '' : ` (${description})`}`;
    }),
  );
}

/** A setting that is named a secret is checked as one, whatever its schema. */
const NAMED_SECRET = secretRule(weaknessOf, (value) => [value]);

/** What an installation with other people's money must not run on: known or weak secrets, one in two places, connections without TLS. */
function productionProblems(
  shape: Shape,
  given: Readonly<Record<string, string>>,
  env: Environment,
): { key: string; problem: string }[] {
  const owners = new Map<string, string>();
  const problems = Object.entries(shape).flatMap(([key, field]) => {
    const value = given[key];
    const rule = find(field, (type) => productionRules.get(type)) ?? (/SECRET/.test(key) ? NAMED_SECRET : undefined);
    if (!rule) return [];
    const secretsHere = value === undefined ? [] : (rule.secretsIn?.(value) ?? []);
    const twin = secretsHere.map((secret) => owners.get(secret)).find((owner) => owner !== undefined);
    for (const secret of secretsHere) owners.set(secret, key);
    const own = rule.problemsOf(value, env);
    const all = own.length === 0 && twin !== undefined ? [`must not be used in production: it is also ${twin}`] : own;
    return all.map((problem) => ({ key, problem }));
  });
  // Node.js would then accept every certificate of every server.
  const isUnverified = env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0';
  return isUnverified
    ? [...problems, { key: 'NODE_TLS_REJECT_UNAUTHORIZED', problem: 'must not be 0 in production' }]
    : problems;
}

/** Writes one warning for each protection that the configuration turns off. */
export function warnOfTlsOff(config: { readonly DATABASE_TLS: string; readonly AMQP_TLS: string }, log: Logger): void {
  for (const setting of ['DATABASE_TLS', 'AMQP_TLS'] as const) {
    if (config[setting] === TLS_OFF) log.warn({ setting }, 'config.tls_turned_off');
  }
}

/** The settings of a schema that hold secrets. */
export function secretSettingsOf(schema: z.ZodObject): string[] {
  const shape: Shape = schema.shape;
  return Object.keys(shape).filter((key) => {
    const field = shape[key];
    return field !== undefined && find(field, (type) => productionRules.get(type))?.secretsIn !== undefined;
  });
}

/** One setting as documentation shows it. `default` is absent where there is none. */
export interface ConfigRow {
  readonly key: string;
  readonly description: string;
  readonly default?: string;
  readonly required: boolean;
}

/** The settings of a schema in its own order: the source of `.env.example`. Throws for a key without a description. */
export function describeConfig(schema: z.ZodObject): ConfigRow[] {
  const shape: Shape = schema.shape;
  return Object.entries(shape).map(([key, field]) => {
    const description = descriptionOf(field);
    if (description === undefined) throw new TypeError(`${key} has no description`);
    const whenAbsent = z.safeParse(field, undefined);
    const value = whenAbsent.success ? whenAbsent.data : undefined;
    return {
      key,
      description,
      ...(value === undefined || value === null ? {} : { default: textOf(value) }),
      required: !whenAbsent.success,
    };
  });
}

/** As it would be written in an environment file. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function descriptionOf(field: z.core.$ZodType): string | undefined {
  return find(field, (type) => z.globalRegistry.get(type)?.description);
}

/** `.describe('...').default(...)` leaves what is known of a field on the inner type. */
function find<T>(field: z.core.$ZodType, read: (type: z.core.$ZodType) => T | undefined): T | undefined {
  const own = read(field);
  if (own !== undefined) return own;
  const { def } = field._zod;
  const inner = 'innerType' in def ? def.innerType : 'in' in def ? def.in : undefined;
  return inner instanceof z.core.$ZodType ? find(inner, read) : undefined;
}
