import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { eachService, SERVICES, type ServiceName } from '@pay/contracts';
import { ROOT } from './arguments';
import { removeEnvironments, writeEnvironments, type ServiceEnvironments } from './environment-file';
import { removeGatewayFile, writeGatewayFile, type GatewayFile } from './gateway-file';
import { rememberProcesses } from './left-behind';
import type { ProgressPrinter } from './progress-printer';
import { PUBLIC_ROUTES } from './routes';
import { machineEnvironment, serviceEnvironment, type Installation } from './service-environment';
import { ServiceProcess, type ServicePlan } from './service-process';
import { chosenVersion } from './chosen-version';

/** Megabytes. A large young generation, because objects of a batch become garbage together and need not be copied. */
const ROOMY: MemoryLimits = { semiSpace: 32 };
/**
 * checkout-api keeps at most 5,000 idle event streams of 10 KB each. A limited heap is collected early instead of
 * growing to a multiple of its live data.
 */
const MEMORY: Partial<Record<ServiceName, MemoryLimits>> = { 'checkout-api': { semiSpace: 4, oldSpace: 192 } };

interface MemoryLimits {
  readonly semiSpace: number;
  readonly oldSpace?: number;
}

export interface RunningSystemOptions {
  readonly runDir: string;
  readonly port: number;
  readonly installation: Installation;
  /** URL of the superuser. */
  readonly postgresUrl: string;
  readonly postgresSocketFolder?: string | undefined;
  readonly progress: ProgressPrinter;
  readonly env: NodeJS.ProcessEnv;
}

export class RunningSystem {
  private readonly processes: ServiceProcess[];
  private isUp = false;

  constructor(private readonly options: RunningSystemOptions) {
    mkdirSync(join(options.runDir, 'logs'), { recursive: true });
    rmSync(join(options.runDir, 'held'), { recursive: true, force: true });
    const plans = [...SERVICES.map((service) => servicePlan(service, options)), originPlan(options)];
    const events = {
      say: (sentence: string) => options.progress.say(sentence),
      onStarted: () => this.publish(),
    };
    this.processes = plans.map((plan) => new ServiceProcess(plan, events));
  }

  /** Resolves when all parts are ready. */
  async start(): Promise<void> {
    const starts = this.processes.map((process) => process.start());
    try {
      await Promise.all(starts);
    } catch (error) {
      // Stops the parts that have started when one fails.
      await this.stop();
      await Promise.allSettled(starts);
      throw error;
    }
    this.isUp = true;
    this.publish();
  }

  async stop(): Promise<void> {
    this.isUp = false;
    removeGatewayFile(this.options.runDir);
    removeEnvironments(this.options.runDir);
    await Promise.all(this.processes.map((process) => process.stop()));
    rememberProcesses(this.options.runDir, []);
  }

  get gateway(): GatewayFile {
    const { installation, postgresUrl, postgresSocketFolder } = this.options;
    const { baseUrl, seed, ports, databaseUrls, amqpUrl, amqpUrls } = installation;
    const services = eachService((service) => ({
      pid: this.processes.find((process) => process.name === service)?.pid ?? 0,
      url: `http://127.0.0.1:${ports[service].port}`,
      privateUrl: `http://127.0.0.1:${ports[service].privatePort}`,
    }));
    return {
      baseUrl,
      checkoutUrl: `${baseUrl}/checkout`,
      dashboardUrl: `${baseUrl}/dashboard`,
      merchants: seed.merchants,
      services,
      postgresUrl,
      databaseUrls,
      ...(postgresSocketFolder === undefined ? {} : { postgresSocketFolder }),
      amqpUrl,
      amqpUrls,
      eventSigningKeys: seed.eventSigningKeys,
      amqpNamespace: this.options.env['AMQP_NAMESPACE'] ?? '',
    };
  }

  private get environments(): ServiceEnvironments {
    const { installation, env } = this.options;
    return eachService((service) => serviceEnvironment(service, installation, env));
  }

  private publish(): void {
    const pids = this.processes.map((process) => process.pid).filter((pid) => pid !== 0);
    rememberProcesses(this.options.runDir, pids);
    if (!this.isUp) return;
    writeEnvironments(this.options.runDir, this.environments);
    writeGatewayFile(this.options.runDir, this.gateway);
  }
}

function servicePlan(service: ServiceName, { runDir, installation, env }: RunningSystemOptions): ServicePlan {
  return {
    name: service,
    command: () => {
      const { root = ROOT, env: ofVersion } = chosenVersion(runDir, service);
      const bundleOf = (name: string) => join(root, 'dist', 'apps', service, `${name}.js`);
      return {
        args: [...nodeFlags(MEMORY[service] ?? ROOMY), '--require', bundleOf('telemetry'), bundleOf('main')],
        env: { ...serviceEnvironment(service, installation, env), ...ofVersion },
        cwd: root,
      };
    },
    logFile: join(runDir, 'logs', `${service}.log`),
    readyUrl: `http://127.0.0.1:${installation.ports[service].privatePort}/readyz`,
    isReady: (status) => status === 200,
    holdFile: join(runDir, 'held', service),
  };
}

function nodeFlags({ semiSpace, oldSpace }: MemoryLimits): string[] {
  const flags = ['--enable-source-maps', `--max-semi-space-size=${semiSpace}`];
  return oldSpace === undefined ? flags : [...flags, `--max-old-space-size=${oldSpace}`];
}

function originPlan({ runDir, port, installation, env }: RunningSystemOptions): ServicePlan {
  const routes = PUBLIC_ROUTES.map(([prefix, service]) => [
    prefix,
    { host: '127.0.0.1', port: installation.ports[service].port },
  ]);
  return {
    name: 'origin',
    command: () => ({
      args: [join(ROOT, 'dist', 'tools', 'origin.js')],
      env: { ...machineEnvironment(env), ORIGIN_PORT: String(port), ORIGIN_ROUTES: JSON.stringify(routes) },
      cwd: ROOT,
    }),
    logFile: join(runDir, 'logs', 'origin.log'),
    // The origin has no health check: any response shows that it listens.
    readyUrl: `http://127.0.0.1:${port}/readyz`,
    isReady: (status) => status === 404,
    holdFile: join(runDir, 'held', 'origin'),
  };
}
