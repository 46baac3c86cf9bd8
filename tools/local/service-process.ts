import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, renameSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { endProcess, tailOf } from '@pay/local-servers';
import { serviceNode } from './run-bundle';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** After this time the start counts as successful, and the restart delay is reset. */
const SETTLED_MS = 20_000;
const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 30_000;

export interface Command {
  /** Arguments of Node. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export interface ServicePlan {
  readonly name: string;
  /** Called at every start. */
  readonly command: () => Command;
  readonly logFile: string;
  readonly readyUrl: string;
  readonly isReady: (status: number) => boolean;
  /** While this file exists, a service that has ended is not restarted. For tests of the other services. */
  readonly holdFile: string;
}

export interface ServiceEvents {
  say(sentence: string): void;
  /** Also called after a restart. */
  onStarted(): void;
}

/** A service that ends is restarted, first immediately and then with increasing delays. */
export class ServiceProcess {
  private child: ChildProcess | undefined;
  private isStopping = false;
  private isUp = false;
  private pauseMs = 0;
  private startedAt = 0;

  constructor(
    readonly plan: ServicePlan,
    private readonly events: ServiceEvents,
  ) {
    if (existsSync(plan.logFile)) renameSync(plan.logFile, `${plan.logFile}.1`);
  }

  get name(): string {
    return this.plan.name;
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  /** Resolves when the service is ready. Throws the end of its log if it ends before. */
  async start(): Promise<void> {
    this.launch();
    const deadline = Date.now() + READY_TIMEOUT_MS;
    while (!(await this.answersReady())) {
      if (this.isStopping) return;
      if (this.child?.exitCode !== null || this.child.signalCode !== null) {
        throw new Error(`${this.name} does not start:\n${tailOf(this.plan.logFile)}`);
      }
      if (Date.now() > deadline) {
        throw new Error(`${this.name} is not ready after ${READY_TIMEOUT_MS / 1000} s:\n${tailOf(this.plan.logFile)}`);
      }
      await delay(40);
    }
    this.isUp = true;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    if (this.pid !== 0) await endProcess(this.pid, 'SIGTERM', STOP_TIMEOUT_MS);
  }

  private launch(): void {
    const { command, logFile } = this.plan;
    const { args, env, cwd } = command();
    const output = openSync(logFile, 'a', 0o600);
    // A separate session: Ctrl-C must reach only the starter, which stops processes in order.
    const child = spawn(serviceNode(), args, {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    this.child = child;
    this.startedAt = Date.now();
    child.once('error', (error) => this.events.say(`${this.name} cannot be started: ${error.message}`));
    child.once('exit', (code, signal) => {
      if (!this.isStopping && this.isUp) void this.revive(code, signal);
    });
    this.events.onStarted();
  }

  private async revive(code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    const { events, plan } = this;
    const settled = Date.now() - this.startedAt > SETTLED_MS;
    this.pauseMs = settled ? 0 : Math.min(Math.max(this.pauseMs * 2, FIRST_PAUSE_MS), LONGEST_PAUSE_MS);
    const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
    const lastWords = code ? `. Last lines of its log:\n${tailOf(plan.logFile, 6)}` : '';
    events.say(`${this.name} ${how}; starting it again${lastWords}`);
    await delay(this.pauseMs);
    while (!this.isStopping && existsSync(plan.holdFile)) await delay(40);
    if (this.isStopping) return;
    const begun = performance.now();
    this.launch();
    const { pid } = this;
    while (this.pid === pid && this.child?.exitCode === null && this.child.signalCode === null) {
      if (await this.answersReady()) {
        events.say(`${this.name} is back after ${((performance.now() - begun) / 1000).toFixed(1)} s`);
        return;
      }
      await delay(40);
    }
  }

  private async answersReady(): Promise<boolean> {
    try {
      const response = await fetch(this.plan.readyUrl, { signal: AbortSignal.timeout(2_000) });
      await response.arrayBuffer();
      // Another system may listen on the port, so the response must come from this process.
      const answeredBy = response.headers.get('x-process-id') ?? String(this.pid);
      return answeredBy === String(this.pid) && this.plan.isReady(response.status);
    } catch {
      return false;
    }
  }
}
