import { z } from 'zod';

/** Every problem of a process's environment at once. The message names keys and what they are for, never values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
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

/** What every service needs to know. An app's schema is `z.object({ ...commonConfig, ...its own keys })`. */
export const commonConfig = {
  NODE_ENV: z
    .enum(['development', 'test', 'production'])
    .default('development')
    .describe('Which kind of installation this is'),
  HOST: z.string().default('127.0.0.1').describe('Address that both HTTP servers listen on'),
  PORT: integer({ max: 65_535 }).describe('Port of the public HTTP server'),
  PRIVATE_PORT: integer({ max: 65_535 }).describe('Port of health, metrics and internal routes'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least severe log level that is written'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' })
    .describe("Postgres connection of this service's own role"),
  DATABASE_POOL_SIZE: integer({ min: 1, max: 200 }).default(10).describe('Most Postgres connections of one process'),
  AMQP_URL: z
    .url({ protocol: /^amqps?$/, error: 'must be an amqp:// or amqps:// URL' })
    .describe('RabbitMQ connection'),
  AMQP_NAMESPACE: z
    .string()
    .regex(/^[A-Za-z0-9._-]{0,60}$/, 'must be letters, digits, dots, dashes and underscores')
    .default('')
    .describe('Prefix of exchange and queue names, so that several systems can share a broker'),
  SHUTDOWN_SECONDS: integer({ min: 1, max: 600 })
    .default(25)
    .describe('Longest time between SIGTERM and the end of the process'),
} satisfies z.ZodRawShape;

type Shape = Readonly<Record<string, z.core.$ZodType>>;

/**
 * Reads a process's environment. An empty value counts as absent, because that is what `${VAR:-}` in a manifest yields.
 * Throws a ConfigError that lists every problem as `KEY: problem (description)`.
 */
export function loadConfig<Schema extends z.ZodObject>(schema: Schema, env: NodeJS.ProcessEnv): z.infer<Schema> {
  const shape: Shape = schema.shape;
  const given: Record<string, string> = {};
  for (const key of Object.keys(shape)) {
    const value = env[key];
    if (value !== undefined && value !== '') given[key] = value;
  }
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw new ConfigError(
    result.error.issues.map((issue) => {
      const key = String(issue.path[0] ?? 'configuration');
      const field = shape[key];
      const description = field && descriptionOf(field);
      const problem = field && !(key in given) ? 'is required' : issue.message;
      return `${key}: ${problem}${description === undefined ? '' : ` (${description})`}`;
    }),
  );
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

/** `.describe('...').default(...)` leaves the description on the inner type. */
function descriptionOf(field: z.core.$ZodType): string | undefined {
  const own = z.globalRegistry.get(field)?.description;
  if (own !== undefined) return own;
  const { def } = field._zod;
  const inner = 'innerType' in def ? def.innerType : 'in' in def ? def.in : undefined;
  return inner instanceof z.core.$ZodType ? descriptionOf(inner) : undefined;
}
