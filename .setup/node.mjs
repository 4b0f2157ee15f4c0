// Stops with one clear message when Node is too old for the tools that the project builds and tests with.
const oldest = [20, 19];
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < oldest[0] || (major === oldest[0] && minor < oldest[1])) {
  console.error(
    `posenc needs Node ${oldest.join('.')} or newer, and this is Node ${process.versions.node} (${process.execPath}).\n` +
      "Install a current Node (nodejs.org, nvm, or your distribution's newer release) and run the command again.",
  );
  process.exit(1);
}
