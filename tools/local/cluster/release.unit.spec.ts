import { objectsOf, tagOf } from './release';

const RENDERED = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: intent-api
spec:
  template:
    spec:
      initContainers:
        - image: payment-gateway:dev
      containers:
        - image: payment-gateway:dev
        - image: postgres:17
---
apiVersion: batch/v1
kind: Job
metadata:
  name: migrate-dev
spec:
  template:
    spec:
      containers:
        - image: payment-gateway:dev
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: migrate-dev
data:
  answer: 'yes'
`;

describe('the objects of a release', () => {
  const objects = objectsOf(RENDERED, 'payment-gateway:0123456789ab');

  it('run its image in every container of ours, and leave those of others alone', () => {
    const pod = objects[0]?.spec?.template?.spec;

    expect(pod?.initContainers).toEqual([{ image: 'payment-gateway:0123456789ab' }]);
    expect(pod?.containers).toEqual([{ image: 'payment-gateway:0123456789ab' }, { image: 'postgres:17' }]);
  });

  it('have their own migration Job, because the template of a Job cannot change', () => {
    expect(objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toEqual([
      'Deployment/intent-api',
      'Job/migrate-0123456789ab',
      'ConfigMap/migrate-dev',
    ]);
  });

  it('keep texts that look like other types', () => {
    expect(objects[2]).toMatchObject({ data: { answer: 'yes' } });
  });

  it.each(['payment-gateway', 'registry.example:5000/payment-gateway'])('need a tag, which %s has not', (image) => {
    expect(() => tagOf(image)).toThrow('has no tag');
  });
});
