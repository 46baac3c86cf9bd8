import { z } from 'zod';
import { NAMED_SECRET, productionRules, type Environment } from './config-fields';
import { TLS_OFF } from './connection-url';
import type { Logger } from './logger';
import { isProduction } from './production';
import { settingsFromFiles } from './settings-from-files';

/**
 * All configuration problems of a process. The message contains the names and descriptions of settings, never their
 * values.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly problems: readonly string[]) {
    super(`Invalid configuration:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

/**
 * Reads the environment of a process, and files in SECRETS_DIRECTORY for settings that the environment lacks; throws a
 * ConfigError that lists every problem as `KEY: problem (description)`. An empty value counts as absent, because
 * `${VAR:-}` in a manifest produces one.
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
  // With this setting Node.js accepts every server certificate.
  const isUnverified = env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0';
  return isUnverified
    ? [...problems, { key: 'NODE_TLS_REJECT_UNAUTHORIZED', problem: 'must not be 0 in production' }]
    : problems;
}

export function warnOfTlsOff(config: { readonly DATABASE_TLS: string; readonly AMQP_TLS: string }, log: Logger): void {
  for (const setting of ['DATABASE_TLS', 'AMQP_TLS'] as const) {
    if (config[setting] === TLS_OFF) log.warn({ setting }, 'config.tls_turned_off');
  }
}

export function secretSettingsOf(schema: z.ZodObject): string[] {
  const shape: Shape = schema.shape;
  return Object.keys(shape).filter((key) => {
    const field = shape[key];
    return field !== undefined && find(field, (type) => productionRules.get(type))?.secretsIn !== undefined;
  });
}

export interface ConfigRow {
  readonly key: string;
  readonly description: string;
  readonly default?: string;
  readonly required: boolean;
}

/**
 * The settings of a schema in their declared order, from which `.env.example` is generated. Throws for a key without a
 * description.
 */
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

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function descriptionOf(field: z.core.$ZodType): string | undefined {
  return find(field, (type) => z.globalRegistry.get(type)?.description);
}

/** `.describe('...').default(...)` stores the description on the inner type. */
function find<T>(field: z.core.$ZodType, read: (type: z.core.$ZodType) => T | undefined): T | undefined {
  const own = read(field);
  if (own !== undefined) return own;
  const { def } = field._zod;
  const inner = 'innerType' in def ? def.innerType : 'in' in def ? def.in : undefined;
  return inner instanceof z.core.$ZodType ? find(inner, read) : undefined;
}
