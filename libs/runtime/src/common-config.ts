import { z } from 'zod';
import { loadConfig } from './config';
import {
  checkedInProduction,
  encryptionKeys,
  integer,
  networks,
  partsOfList,
  productionRules,
  tlsSetting,
  verificationKeys,
} from './config-fields';
import { passwordsIn, problemsOfBrokerUrl, problemsOfDatabaseUrl, TLS_OFF } from './connection-url';
import type { EncryptionKey } from './secret-box';
import type { VerificationKey } from './verification-keys';

/** Example: "2026-11-23" */
function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** Settings of every service. The schema of an app is `z.object({ ...commonConfig, ...its own keys })`. */
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
  // The name contains SECRET, but the value is not a secret.
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
  EVENT_SIGNING_KEYS: encryptionKeys().describe(
    'Keys that sign the events of this service, as id:base64 of 32 bytes, separated by commas; the first signs. Do not share them with other services',
  ),
  EVENT_VERIFICATION_KEYS: verificationKeys().describe(
    'Keys that verify events of other services, as publisher/id:base64 of 32 bytes, separated by commas',
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
  IDLE_CONNECTION_GRACE_MS: integer({ max: 60_000 })
    .default(500)
    .describe(
      'Milliseconds after SIGTERM during which idle HTTP connections stay open; set more than the idle timeout of your proxies, because a request that is sent on a closing connection is lost; SHUTDOWN_SECONDS must be at least 5 seconds more',
    ),
  SHUTDOWN_SECONDS: integer({ min: 1, max: 600 })
    .default(25)
    .describe('Maximum seconds from SIGTERM to the end of the process; then it exits with unfinished work'),
} satisfies z.ZodRawShape;

/** The settings that createService reads: all except those of ports, logs, Postgres and RabbitMQ. */
export type ServiceSettings<Config> = Omit<Config, Exclude<keyof typeof commonConfig, 'TRUSTED_PROXY_CIDRS'>>;

/** For programs that need no other setting, such as migrations. Validated as for a service. */
export function databaseUrlOf(env: NodeJS.ProcessEnv): string {
  const { NODE_ENV, DATABASE_URL, DATABASE_TLS } = commonConfig;
  return loadConfig(z.object({ NODE_ENV, DATABASE_URL, DATABASE_TLS }), env).DATABASE_URL;
}

export function brokerOf(config: {
  readonly AMQP_URL: string;
  readonly AMQP_NAMESPACE: string;
  readonly EVENT_SIGNING_KEYS: readonly EncryptionKey[];
  readonly EVENT_VERIFICATION_KEYS: readonly VerificationKey[];
}) {
  return {
    url: config.AMQP_URL,
    namespace: config.AMQP_NAMESPACE,
    eventKeys: { signing: config.EVENT_SIGNING_KEYS, verification: config.EVENT_VERIFICATION_KEYS },
  };
}
