import { spawn, spawnSync } from 'node:child_process';

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
  return (args, input) =>
    run(program, [...first, '--file', options.file, '--project-name', options.project, ...args], {
      env: { ...process.env, ...options.env },
      input,
    });
}

async function run(
  program: string,
  args: readonly string[],
  { env, input }: { env: NodeJS.ProcessEnv; input: string | undefined },
): Promise<string> {
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0) return stdout;
  const lastWords = `${stdout}${stderr}`.trimEnd().split('\n').slice(-12).join('\n');
  throw new Error(`${program} ${args.slice(-4).join(' ')} ended with code ${code}:\n${lastWords}`);
}
