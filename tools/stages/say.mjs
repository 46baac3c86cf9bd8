export function say(sentence) {
  console.log(`[${new Date().toISOString().slice(11, 19)}] ${sentence}`);
}
