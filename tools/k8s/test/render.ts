import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { merge } from './strategic-merge';

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  [field: string]: any;
}

interface Target {
  readonly kind?: string;
  readonly name?: string;
  readonly labelSelector?: string;
}
interface Generator {
  readonly name: string;
  readonly namespace?: string;
  readonly behavior?: 'merge';
  readonly literals?: readonly string[];
  readonly files?: readonly string[];
  readonly options?: { readonly labels?: Record<string, string> };
}
/** Puts a field of one object in front of fields of others. */
interface Replacement {
  readonly source: { readonly kind: string; readonly name: string; readonly fieldPath: string };
  readonly targets: readonly {
    readonly select: Target;
    readonly fieldPaths: readonly string[];
    readonly options: { readonly delimiter: string; readonly index: number };
  }[];
}
interface Kustomization {
  readonly namespace?: string;
  readonly nameSuffix?: string;
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
  readonly labels?: readonly {
    readonly pairs: Record<string, string>;
    readonly includeSelectors?: boolean;
    readonly includeTemplates?: boolean;
  }[];
  readonly configMapGenerator?: readonly Generator[];
  readonly images?: readonly { name: string; newName?: string; newTag?: string; digest?: string }[];
  readonly patches?: readonly { path?: string; patch?: string; target?: Target }[];
  readonly replacements?: readonly Replacement[];
}

const KNOWN_FIELDS = new Set([
  ...['apiVersion', 'kind', 'namespace', 'nameSuffix', 'resources', 'components', 'labels'],
  ...['configMapGenerator', 'images', 'patches', 'replacements'],
]);
/** The cluster-wide kinds in deploy/k8s. */
const CLUSTER_KINDS = new Set(['Namespace']);
const POD_OWNERS = new Set(['Deployment', 'StatefulSet', 'Job']);

/**
 * Implements the features of kustomize that deploy/k8s uses, because npm has no kustomize package; unknown fields are
 * rejected. A test compares the result with kubectl if that is installed.
 */
export function render(folder: string, ...components: readonly string[]): Manifest[] {
  const generated = new Set<Manifest>();
  const objects = components.reduce(
    (outer, component) => build(component, outer, generated),
    build(folder, [], generated),
  );
  addHashes(objects, generated);
  return objects;
}

function build(folder: string, outer: Manifest[], generated: Set<Manifest>): Manifest[] {
  const spec = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8'), { version: '1.1' }) as Kustomization;
  const unknown = Object.keys(spec).filter((field) => !KNOWN_FIELDS.has(field));
  if (unknown.length > 0) throw new Error(`${folder}: the renderer does not know ${unknown.join(', ')}`);

  // A component changes all preceding objects, a kustomization only its own.
  const objects = [...outer, ...(spec.resources ?? []).flatMap((path) => load(join(folder, path), generated))];
  for (const path of spec.components ?? []) {
    const more = build(join(folder, path), objects, generated);
    objects.splice(0, objects.length, ...more);
  }
  for (const generator of spec.configMapGenerator ?? []) generate(folder, generator, objects, generated);
  for (const { path, patch, target } of spec.patches ?? []) {
    const text = path === undefined ? (patch ?? '') : readFileSync(join(folder, path), 'utf8');
    const hit = objects.filter((object) => target !== undefined && isTarget(object, target));
    if (hit.length === 0) throw new Error(`${folder}: a patch finds nothing: ${JSON.stringify(target)}`);
    for (const object of hit) apply(parse(text, { version: '1.1', merge: true }), object);
  }
  for (const object of objects) {
    if (spec.namespace !== undefined && !CLUSTER_KINDS.has(object.kind)) object.metadata.namespace = spec.namespace;
    if (spec.nameSuffix !== undefined && object.kind !== 'Namespace') object.metadata.name += spec.nameSuffix;
    for (const { pairs, includeTemplates } of spec.labels ?? []) label(object, pairs, includeTemplates === true);
    for (const image of spec.images ?? []) setImage(object, image);
  }
  for (const replacement of spec.replacements ?? []) replace(replacement, objects);
  return objects;
}

function load(path: string, generated: Set<Manifest>): Manifest[] {
  if (!existsSync(path)) throw new Error(`${path} does not exist`);
  return statSync(path).isDirectory() ? build(path, [], generated) : readManifests(path);
}

/** Parses YAML 1.1 with merge keys, like kustomize. */
export function readManifests(path: string): Manifest[] {
  return parseAllDocuments(readFileSync(path, 'utf8'), { version: '1.1', merge: true }).map((document) => {
    if (document.errors[0]) throw new Error(`${path}: ${document.errors[0].message}`);
    // Copies aliases, because two places with the same anchor must not share an object.
    return JSON.parse(JSON.stringify(document.toJS())) as Manifest;
  });
}

function generate(folder: string, generator: Generator, objects: Manifest[], generated: Set<Manifest>): void {
  const data = Object.fromEntries([
    ...(generator.literals ?? []).map((literal) => splitAt(literal, '=')),
    ...(generator.files ?? []).map((entry) => {
      const [key, path] = entry.includes('=') ? splitAt(entry, '=') : [basename(entry), entry];
      return [key, readFileSync(join(folder, path), 'utf8')];
    }),
  ]) as Record<string, string>;
  const existing = objects.find((object) => object.kind === 'ConfigMap' && object.metadata.name === generator.name);
  if (generator.behavior === 'merge') {
    if (existing === undefined) throw new Error(`${folder}: no ConfigMap ${generator.name} to merge into`);
    existing['data'] = { ...existing['data'], ...data };
    return;
  }
  const { name, namespace, options } = generator;
  const made: Manifest = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    data,
    metadata: { name, ...(namespace && { namespace }), ...(options?.labels && { labels: { ...options.labels } }) },
  };
  objects.push(made);
  generated.add(made);
}

function splitAt(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return [text.slice(0, at), text.slice(at + 1)];
}

function isTarget({ kind, metadata }: Manifest, target: Target): boolean {
  const { labelSelector = '' } = target;
  const [key = '', value] = labelSelector.split('=');
  return (
    (target.kind === undefined || kind === target.kind) &&
    (target.name === undefined || metadata.name === target.name) &&
    (labelSelector === '' || metadata.labels?.[key] === value)
  );
}

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value: unknown;
}

function apply(patch: unknown, object: Manifest): void {
  if (Array.isArray(patch)) {
    for (const { op, path, value } of patch as Operation[]) {
      if (op !== 'replace') throw new Error(`the renderer does not know the operation ${op}`);
      const steps = path.slice(1).split('/');
      const last = steps.pop() ?? '';
      const place = steps.reduce<any>((node, step) => node?.[step], object);
      if (place?.[last] === undefined) throw new Error(`${path} is not in ${object.kind} ${object.metadata.name}`);
      place[last] = value;
    }
    return;
  }
  const { name, namespace } = object.metadata;
  Object.assign(object, merge(object, JSON.parse(JSON.stringify(patch))));
  Object.assign(object.metadata, { name, ...(namespace !== undefined && { namespace }) });
}

function replace({ source, targets }: Replacement, objects: readonly Manifest[]): void {
  const [value] = objects
    .filter((object) => isTarget(object, source))
    .flatMap((object) => placesOf(object, source.fieldPath));
  if (value === undefined) throw new Error(`no ${source.fieldPath} in ${source.kind} ${source.name}`);
  for (const { select, fieldPaths, options } of targets) {
    const hit = objects.filter((object) => isTarget(object, select));
    const found = hit.flatMap((object) => fieldPaths.flatMap((path) => placesOf(object, path)));
    if (found.length === 0 || options.index !== -1)
      throw new Error(`a replacement changes nothing: ${fieldPaths.join()}`);
    for (const { parent, key } of found) parent[key] = `${value.parent[value.key]}${options.delimiter}${parent[key]}`;
  }
}

/** The fields that a path names; `*` means every entry of a list. Example: `spec.groups.*.name` */
function placesOf(object: Manifest, path: string): { parent: any; key: string }[] {
  const steps = path.split('.');
  const key = steps.pop() ?? '';
  const parents = steps.reduce<any[]>(
    (nodes, step) => nodes.flatMap((node) => (step === '*' ? node : [node[step]])).filter((node) => node !== undefined),
    [object],
  );
  return parents.filter((parent) => parent[key] !== undefined).map((parent) => ({ parent, key }));
}

function label(object: Manifest, pairs: Record<string, string>, includeTemplates: boolean): void {
  object.metadata.labels = { ...object.metadata.labels, ...pairs };
  const template = object['spec']?.template;
  if (includeTemplates && POD_OWNERS.has(object.kind)) {
    template.metadata.labels = { ...template.metadata.labels, ...pairs };
    for (const claim of object['spec'].volumeClaimTemplates ?? []) {
      claim.metadata.labels = { ...claim.metadata.labels, ...pairs };
    }
  }
}

function setImage(object: Manifest, image: { name: string; newName?: string; newTag?: string; digest?: string }): void {
  for (const container of containersOf(object)) {
    if (splitAt(`${container.image}:`, ':')[0] !== image.name) continue;
    const name = image.newName ?? image.name;
    container.image = image.digest === undefined ? `${name}:${image.newTag ?? 'latest'}` : `${name}@${image.digest}`;
  }
}

/** Includes init containers. */
export function containersOf(object: Manifest): any[] {
  if (!POD_OWNERS.has(object.kind)) return [];
  const { initContainers = [], containers = [] } = object['spec'].template.spec;
  return [...initContainers, ...containers];
}

/** A changed ConfigMap gets a new name, so that its pods are replaced. */
function addHashes(objects: Manifest[], generated: ReadonlySet<Manifest>): void {
  for (const made of generated) {
    const { name, namespace } = made.metadata;
    made.metadata.name = `${name}-${hashOf(made)}`;
    for (const object of objects.filter((each) => POD_OWNERS.has(each.kind) && each.metadata.namespace === namespace)) {
      const { volumes = [] } = object['spec'].template.spec;
      const references = [
        ...volumes.map((volume: any) => volume.configMap),
        ...containersOf(object).flatMap(({ envFrom = [] }) => envFrom.map((source: any) => source.configMapRef)),
      ];
      for (const reference of references) if (reference?.name === name) reference.name = made.metadata.name;
    }
  }
}

/** The hash of kustomize: ten digits of SHA-256, without digits that could form words. */
function hashOf({ kind, data }: Manifest): string {
  const sorted = Object.fromEntries(
    Object.entries(data as object).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
  const text = JSON.stringify({ data: sorted, kind, name: '' })
    // Escaped like in Go's JSON.
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026');
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 10);
  const instead: Record<string, string> = { 0: 'g', 1: 'h', 3: 'k', a: 'm', e: 't' };
  return digest.replace(/[013ae]/g, (digit) => instead[digit] ?? digit);
}

export const OVERLAYS = ['local', 'staging', 'production'] as const;
export type Overlay = (typeof OVERLAYS)[number];

export function overlayFolder(overlay: Overlay): string {
  return join(__dirname, '..', '..', '..', 'deploy', 'k8s', 'overlays', overlay);
}

export function componentFolder(name: string): string {
  return join(__dirname, '..', '..', '..', 'deploy', 'k8s', 'components', name);
}
