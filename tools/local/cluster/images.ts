import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outputOf, resultOf } from '@pay/local-servers';
import { ROOT } from '../arguments';
import type { ClusterOptions } from './options';
import type { Release } from './release';

export interface Releases {
  readonly current: Release;
  /** The release before the upgrade. */
  readonly before: Release | undefined;
  /** Removes the checkout of the previous release. */
  readonly forget: () => Promise<void>;
}

/** Builds the images of this checkout and of the previous commit, or uses the given one. */
export async function prepareReleases(options: ClusterOptions): Promise<Releases> {
  const { from, image } = options;
  // First, because a commit may be unknown.
  const checkout = from === undefined ? undefined : await checkOut(from);
  const forget = checkout?.forget ?? (() => Promise.resolve());
  try {
    const current = { root: ROOT, image: image ?? (await buildImage(ROOT, options)) };
    if (checkout === undefined) return { current, before: undefined, forget };
    const { root } = checkout;
    return { current, before: { root, image: await buildImage(root, options) }, forget };
  } catch (error) {
    await forget();
    throw error;
  }
}

async function checkOut(commit: string): Promise<{ readonly root: string; readonly forget: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'payment-gateway-before-'));
  const root = join(folder, 'checkout');
  const forget = async () => {
    await resultOf('git', ['-C', ROOT, 'worktree', 'remove', '--force', root]);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await outputOf('git', ['-C', ROOT, 'worktree', 'add', '--detach', root, commit]);
    return { root, forget };
  } catch (error) {
    await forget();
    throw error;
  }
}

/** `npm run images` prints the name of the image last. */
async function buildImage(root: string, { nodeImage, buildNetwork }: ClusterOptions): Promise<string> {
  const args = [
    join(ROOT, 'tools', 'images.mjs'),
    ...['--build-only', '--checkout', root],
    ...(nodeImage === undefined ? [] : ['--node-image', nodeImage]),
    ...(buildNetwork === undefined ? [] : ['--network', buildNetwork]),
  ];
  const name = lastLine(await outputOf(process.execPath, args));
  if (!/^payment-gateway:[\w.-]+$/.test(name)) throw new Error(`The build of ${root} printed no name of an image.`);
  return name;
}

/** Loads the images into the nodes, unless the nodes pull them or already have them. */
export async function loadImages(loadImage: string | undefined, images: readonly string[]): Promise<void> {
  if (loadImage === undefined) return;
  const [program = '', ...words] = loadImage.trim().split(/\s+/);
  for (const image of images) await outputOf(program, [...words, image]);
}

export function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}
