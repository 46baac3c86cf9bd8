import {
  confirmNumberProofRequestSchema,
  numberProofResponseSchema,
  requestNumberProofRequestSchema,
} from '../../http/dashboard';
import { pageOf, pageQuerySchema } from '../../http/pagination';
import { ANYBODY, MANAGERS, page, section } from './common';

const api = section('Receiver accounts');

export const requestNumberProof = api.post('requestNumberProof', '/v1/dashboard/number-proofs', {
  summary: 'Request verification of a wallet number',
  description:
    'For a number that another merchant has also registered. An operator sends a code to the number by SMS; the person who receives it ' +
    'owns the SIM. If a request for the number is open, it is returned.',
  credential: MANAGERS,
  body: requestNumberProofRequestSchema,
  answers: {
    201: {
      description: 'The request. An operator sends the code; it is valid for one day.',
      body: numberProofResponseSchema,
    },
  },
  errors: ['NUMBER_PROOF_LIMIT_REACHED'],
});

export const listNumberProofs = api.get('listNumberProofs', '/v1/dashboard/number-proofs', {
  summary: 'List verifications of wallet numbers',
  credential: ANYBODY,
  query: pageQuerySchema,
  answers: { 200: { description: page, body: pageOf(numberProofResponseSchema) } },
});

export const getNumberProof = api.get('getNumberProof', '/v1/dashboard/number-proofs/:id', {
  summary: 'Retrieve the verification of a wallet number',
  credential: ANYBODY,
  answers: { 200: { description: 'The verification.', body: numberProofResponseSchema } },
});

export const confirmNumberProof = api.post('confirmNumberProof', '/v1/dashboard/number-proofs/:id/confirm', {
  summary: 'Verify a wallet number with its code',
  description:
    'After verification no other merchant can register or activate the number in LIVE, and the LIVE receiver accounts of other ' +
    'merchants with this number are deactivated. Five wrong codes close the request.',
  credential: MANAGERS,
  body: confirmNumberProofRequestSchema,
  answers: { 200: { description: 'The number is verified.', body: numberProofResponseSchema } },
  errors: ['CODE_WRONG'],
});
