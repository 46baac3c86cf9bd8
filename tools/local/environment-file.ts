import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceName } from '@pay/contracts';
import { writePrivately } from './write-privately';

/** For commands of the operator. Contains secrets. */
export type ServiceEnvironments = Readonly<Record<ServiceName, Readonly<Record<string, string>>>>;

export function writeEnvironments(runDir: string, environments: ServiceEnvironments): void {
  writePrivately(environmentsPath(runDir), environments);
}

export function readEnvironments(runDir: string): ServiceEnvironments {
  return JSON.parse(readFileSync(environmentsPath(runDir), 'utf8')) as ServiceEnvironments;
}

export function removeEnvironments(runDir: string): void {
  rmSync(environmentsPath(runDir), { force: true });
}

function environmentsPath(runDir: string): string {
  return join(runDir, 'environments.json');
}
