// Starts `rulepack lsp` and connects it to the files of packs.

"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function start() {
  const settings = vscode.workspace.getConfiguration("rulepack");
  const run = { command: settings.get("path") || "rulepack", args: ["lsp"] };
  const files = ["**/content/**/*.toml", "**/scripts/**/*.lua", "**/rulepack.toml"];
  client = new LanguageClient("rulepack", "rulepack", { run, debug: run }, {
    documentSelector: files.map((pattern) => ({ scheme: "file", pattern })),
    initializationOptions: { language: settings.get("language") || null },
    synchronize: {
      fileEvents: files.map((pattern) => vscode.workspace.createFileSystemWatcher(pattern)),
      configurationSection: "rulepack",
    },
  });
  return client.start().catch((error) => {
    vscode.window.showErrorMessage(
      `rulepack does not start: ${error.message}. The setting "rulepack.path" says where the program is.`,
    );
  });
}

async function stop() {
  const running = client;
  client = undefined;
  if (running) await running.stop().catch(() => {});
}

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand("rulepack.restart", async () => {
      await stop();
      await start();
    }),
  );
  return start();
};

exports.deactivate = stop;
