import { spawnSync } from 'node:child_process';
import { outputOf } from '@pay/local-servers';

/** Returns the output. Throws the end of it if the command fails. */
export type Compose = (args: readonly string[], input?: string) => Promise<string>;

/** `docker compose` or `docker-compose`; undefined if neither is installed. */
export function composeCommand(): readonly string[] | undefined {
  const commands = [['docker', 'compose'], ['docker-compose']] as const;
  return commands.find(
    ([program, ...args]) => spawnSync(program, [...args, 'version'], { stdio: 'ignore' }).status === 0,
  );
}

export function composeProgram(options: {
  readonly command: readonly string[];
  readonly file: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
}): Compose {
  const [program = 'docker', ...first] = options.command;
  const env = { ...process.env, ...options.env };
  return (args, input) => {
    const all = [...first, '--file', options.file, '--project-name', options.project, ...args];
    return outputOf(program, all, { env, input, title: `${program} ${all.slice(-4).join(' ')}` });
  };
}
