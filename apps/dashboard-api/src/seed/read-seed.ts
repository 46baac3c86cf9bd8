import { UsageError } from '@pay/runtime';
import { seedFileSchema, type SeedFile } from './seed-file';

/** The UsageError names invalid fields and never contains values. */
export function readSeed(source: string, read: () => string): SeedFile {
  let text: string;
  try {
    text = read();
  } catch (error) {
    throw new UsageError([
      `${source}: ${error instanceof Error && 'code' in error ? String(error.code) : 'the file cannot be read'}`,
    ]);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new UsageError([`${source}: it is not JSON`]);
  }
  const seed = seedFileSchema.safeParse(json);
  if (seed.success) return seed.data;
  throw new UsageError(
    seed.error.issues.map((issue) => `${issue.path.map(String).join('.') || source}: ${issue.message}`),
  );
}
