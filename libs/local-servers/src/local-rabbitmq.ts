export interface LocalRabbitMq {
  readonly url: string;
  readonly port: number;
  /** Process id of the broker; 0 if it runs in Docker. */
  readonly pid: number;
  readonly logFile: string;
  stop(): Promise<void>;
  /** Sends SIGKILL to the broker, like a power failure. */
  kill(): Promise<void>;
  /** Starts the broker on the same port with its stored data; stops it first if it runs. */
  restart(): Promise<void>;
  ctl(...args: string[]): Promise<string>;
  /** Imports users, permissions and other RabbitMQ definitions. Existing objects are updated. */
  importDefinitions(definitions: object): Promise<void>;
}
