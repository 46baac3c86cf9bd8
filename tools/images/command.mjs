import { fail, ROOT } from '../bootstrap.mjs';
import { readArguments } from '../read-arguments.mjs';
import { buildImage, releaseOf } from './build-image.mjs';
import { LARGEST_IMAGE, megabytes, problemOfProgram, problemsOfConfig, programsIn, weigh } from './check-image.mjs';
import { hasDocker } from './docker.mjs';

const EXAMPLE = 'npm run images -- --network host';
const USAGE = `npm run images -- [--node-image IMAGE] [--network NETWORK] [--checkout FOLDER] [--build-only] [--help]
  --node-image IMAGE  image that packages are installed in and that Node.js is taken from, default node:24-bookworm-slim
  --network NETWORK   network of the build, such as host; default is that of Docker
  --checkout FOLDER   a checkout of another version; default is this one
  --build-only        does not check the image; its name is the last line that is printed
Environment: NODE_EXTRA_CA_CERTS (file of a certificate authority that npm must trust), npm_config_registry`;

export const NODE_IMAGE = 'node:24-bookworm-slim';

/** Exit codes: 0 success, 1 a check failed, 2 Docker is missing. */
export async function imagesCommand(args) {
  try {
    const { values } = readArguments({
      example: EXAMPLE,
      usage: USAGE,
      args,
      options: {
        'node-image': { type: 'string', default: NODE_IMAGE },
        network: { type: 'string' },
        checkout: { type: 'string', default: ROOT },
        'build-only': { type: 'boolean', default: false },
      },
    });
    if (!hasDocker()) {
      console.log('The image was not built and not checked: no Docker engine answers here.');
      process.exitCode = 2;
      return;
    }
    const { checkout: root, network } = values;
    const image = await buildImage({ root, nodeImage: values['node-image'], network });
    if (values['build-only']) return console.log(image);
    const problems = report(image, releaseOf(root));
    for (const problem of problems) console.log(`WRONG  ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  } catch (error) {
    fail(error);
  }
}

function report(image, release) {
  const { total, layers } = weigh(image);
  console.log(`\n${image}: ${megabytes(total)} unpacked; every service runs from it, so its layers are stored once`);
  for (const { size, instruction } of layers)
    console.log(`${megabytes(size).padStart(10)}  ${instruction.slice(0, 100)}`);
  const programs = programsIn(image);
  const broken = programs.flatMap((program) => {
    const problem = problemOfProgram(image, program);
    return problem === undefined ? [] : [`${program}: ${problem}`];
  });
  console.log(`${programs.length - broken.length} of ${programs.length} programs start, read-only and as user 10001`);
  return [
    ...problemsOfConfig(image, release).map((problem) => `the image ${problem}`),
    ...(total > LARGEST_IMAGE ? [`the image is larger than ${megabytes(LARGEST_IMAGE)}`] : []),
    ...broken,
  ];
}
