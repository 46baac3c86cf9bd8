#!/usr/bin/env node
import { runTool } from './run-tool.mjs';

const FORMS = ['cluster', 'store', 'compose'];
const USAGE = `node tools/new-secrets.mjs cluster                Secrets of deploy/k8s/overlays/local, for kubectl apply -f -
node tools/new-secrets.mjs store --smtp-url=URL   entries of the secret store that the other overlays read, as JSON
node tools/new-secrets.mjs compose FOLDER [--smtp-url=URL]
                                                  files of deploy/compose, in a folder that must not exist`;

const problemOf = ({ values, positionals: [form, folder, ...more] }) => {
  if (!FORMS.includes(form)) return `Name what the secrets are for: ${FORMS.join(', ')}.`;
  if (form === 'store' && values['smtp-url'] === undefined) return '--smtp-url is required.';
  if (form === 'compose' && folder === undefined) return 'Name a folder.';
  return more.length > 0 || (form !== 'compose' && folder !== undefined) ? 'Too many arguments.' : undefined;
};

runTool('new-secrets', {
  expects: {
    example: 'node tools/new-secrets.mjs compose deploy/compose/secrets --smtp-url=smtps://mail.example.com',
    usage: USAGE,
    allowPositionals: true,
    options: { 'smtp-url': { type: 'string' } },
    problemOf,
  },
});
