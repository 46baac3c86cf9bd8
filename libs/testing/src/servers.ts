/** Superuser URL of the private Postgres of this test run. */
export function postgresUrl(): string {
  return required('TEST_POSTGRES_URL');
}

/** URL of the private RabbitMQ of this test run. */
export function amqpUrl(): string {
  return required('TEST_AMQP_URL');
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) {
    throw new Error(
      `${name} is not set: run \`npm test\`, which starts its own servers, or give it the URL of a server for tests.`,
    );
  }
  return value;
}
