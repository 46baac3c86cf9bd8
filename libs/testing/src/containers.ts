import { randomBytes } from 'node:crypto';
import { GenericContainer, Wait } from 'testcontainers';

export interface ContainerImages {
  readonly postgres: string;
  readonly rabbitmq: string;
}

export interface ContainerServers {
  readonly postgresUrl: string;
  readonly amqpUrl: string;
  /** Adds users and permissions to the broker. */
  importDefinitions(definitions: object): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts both servers of a test run in Docker. Durable writes stay enabled, because tests verify what survives a kill.
 */
export async function startContainers(images: ContainerImages): Promise<ContainerServers> {
  const password = randomBytes(16).toString('hex');
  const postgresReady = Wait.forLogMessage(/database system is ready to accept connections/, 2);
  const rabbitReady = Wait.forLogMessage(/Server startup complete/);
  const [postgres, rabbitmq] = await Promise.all([
    new GenericContainer(images.postgres)
      .withEnvironment({ POSTGRES_PASSWORD: password })
      .withExposedPorts(5432)
      .withCommand(['postgres', '-c', 'max_connections=200', '-c', 'log_error_verbosity=terse'])
      .withWaitStrategy(Wait.forAll([postgresReady, Wait.forListeningPorts()]))
      .withStartupTimeout(180_000)
      .start(),
    new GenericContainer(images.rabbitmq)
      .withEnvironment({ RABBITMQ_DEFAULT_USER: 'gateway', RABBITMQ_DEFAULT_PASS: password })
      .withExposedPorts(5672)
      .withWaitStrategy(Wait.forAll([rabbitReady, Wait.forListeningPorts()]))
      .withStartupTimeout(180_000)
      .start(),
  ]);
  return {
    postgresUrl: `postgres://postgres:${password}@${postgres.getHost()}:${postgres.getMappedPort(5432)}/postgres`,
    amqpUrl: `amqp://gateway:${password}@${rabbitmq.getHost()}:${rabbitmq.getMappedPort(5672)}`,
    async importDefinitions(definitions) {
      const target = '/tmp/definitions.json';
      await rabbitmq.copyContentToContainer([{ content: JSON.stringify(definitions), target }]);
      const { exitCode, output } = await rabbitmq.exec(['rabbitmqctl', 'import_definitions', target]);
      if (exitCode !== 0) throw new Error(`rabbitmqctl import_definitions failed: ${output}`);
    },
    stop: async () => {
      await Promise.all([postgres.stop(), rabbitmq.stop()]);
    },
  };
}
