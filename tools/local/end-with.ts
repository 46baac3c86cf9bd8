import { messageOf } from './message-of';

/** The exit code is the result of the program. After an error, whose message is printed, it is `failed`. */
export async function endWith(program: () => Promise<number> | number, { failed = 1 } = {}): Promise<void> {
  try {
    process.exitCode = await program();
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = failed;
  }
}
