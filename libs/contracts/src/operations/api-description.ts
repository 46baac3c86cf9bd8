import { z } from 'zod';
import { REFERENCE_FILES } from '../http/api-description';
import { operation } from './operation';

const tag = 'API description';
const credential = { kind: 'none' } as const;
const headers = {
  ETag: 'Changes with the content; send it as `If-None-Match` to be answered 304.',
  'Cache-Control': 'How long it may be kept.',
};
const unchanged = { description: 'What you have is what it is.', headers };

export const getApiDescription = operation({
  id: 'getApiDescription',
  service: 'dashboard-api',
  method: 'get',
  path: '/v1/openapi.json',
  tag,
  summary: 'This document',
  credential,
  answers: {
    200: { description: 'OpenAPI 3.1.', contentType: 'application/json', headers },
    304: unchanged,
  },
});

export const getReferencePage = operation({
  id: 'getReferencePage',
  service: 'dashboard-api',
  method: 'get',
  path: '/v1/docs',
  tag,
  summary: 'This document as a page to read',
  credential,
  answers: { 200: { description: 'A page.', contentType: 'text/html', headers }, 304: unchanged },
});

export const getReferenceFile = operation({
  id: 'getReferenceFile',
  service: 'dashboard-api',
  method: 'get',
  path: '/v1/docs/:file',
  tag,
  summary: 'A file of that page',
  credential,
  params: z.object({ file: z.enum(REFERENCE_FILES) }),
  answers: {
    200: { description: 'A style sheet, a script or a picture.', contentType: '*/*', headers },
    304: unchanged,
  },
});
