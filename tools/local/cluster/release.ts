import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { kubectl, NAMESPACE } from './kubectl';

/** Image name in overlays/local. Its tag is the suffix of the migration Job. */
const IMAGE = 'payment-gateway';
const TAG_OF_OVERLAY = 'dev';

export interface Release {
  /** Contains the manifests that are applied. */
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

/** Replaces the image in overlays/local. The migration Job is named after the tag, because each release has its own. */
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

/** The order of deploy/k8s/README.md: everything except services, then migrations, then services. */
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
