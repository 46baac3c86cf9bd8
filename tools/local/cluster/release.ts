import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { kubectl, NAMESPACE } from './kubectl';

/** Name and tag of the image in overlays/local, and the suffix of its migration Job. */
const IMAGE = 'payment-gateway';
const TAG_OF_OVERLAY = 'dev';

export interface Release {
  /** The checkout whose manifests are applied. */
  readonly root: string;
  readonly image: string;
}

interface Container {
  image: string;
}

export interface KubernetesObject {
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  spec?: { template?: { spec: { containers?: Container[]; initContainers?: Container[] } } };
}

/**
 * The objects of overlays/local with another image; the Job of migrations is named after the image's tag, because each
 * release has its own.
 */
export function objectsOf(rendered: string, image: string): KubernetesObject[] {
  const tag = tagOf(image);
  return parseAllDocuments(rendered, { version: '1.1' }).map((document) => {
    const object = document.toJS() as KubernetesObject;
    const pod = object.spec?.template?.spec;
    for (const container of [...(pod?.containers ?? []), ...(pod?.initContainers ?? [])]) {
      if (container.image === `${IMAGE}:${TAG_OF_OVERLAY}`) container.image = image;
    }
    if (object.kind === 'Job') {
      object.metadata.name = object.metadata.name.replace(new RegExp(`-${TAG_OF_OVERLAY}$`), `-${tag}`);
    }
    return object;
  });
}

export function tagOf(image: string): string {
  const tag = /:([\w.-]+)$/.exec(image)?.[1];
  if (tag === undefined) throw new Error(`The image ${image} has no tag: name one, so that a release has a name.`);
  return tag;
}

/** As deploy/k8s/README.md says it to people: everything but the services, then the migrations, then the services. */
export async function applyBeforeServices(release: Release): Promise<void> {
  const objects = await readObjects(release);
  await apply(objects.filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/component'] !== 'service'));
  const jobs = objects.filter(({ kind }) => kind === 'Job').map(({ metadata }) => `job/${metadata.name}`);
  await kubectl(['-n', NAMESPACE, 'wait', '--for=condition=complete', '--timeout=10m', ...jobs]);
}

export async function applyServices(release: Release): Promise<void> {
  await apply(await readObjects(release));
  await kubectl(['-n', NAMESPACE, 'rollout', 'status', 'deployment', '--timeout=10m']);
}

async function readObjects({ root, image }: Release): Promise<KubernetesObject[]> {
  return objectsOf(await kubectl(['kustomize', join(root, 'deploy', 'k8s', 'overlays', 'local')]), image);
}

async function apply(objects: readonly KubernetesObject[]): Promise<void> {
  await kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
}
