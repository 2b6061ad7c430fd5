// Passkeys: takes a challenge, has the browser sign it, and sends back what came of it.
"use strict";
(() => {
  if (!window.PublicKeyCredential) return;
  const decode = (text) => Uint8Array.from(
    atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
  const encode = (buffer) => buffer && btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

  const post = async (form, address, body) => {
    const headers = {"Content-Type": "application/json"};
    if (form.dataset.csrf) headers["X-CSRF-Token"] = form.dataset.csrf;
    const answer = await fetch(address, {method: "POST", headers, body: JSON.stringify(body)});
    const document = answer.status === 204 ? {} : await answer.json();
    if (!answer.ok) throw new Error(document.detail);
    return document;
  };

  const sign = async (options) => {
    options.challenge = decode(options.challenge);
    for (const allowed of options.allowCredentials) allowed.id = decode(allowed.id);
    const credential = await navigator.credentials.get({publicKey: options});
    const {clientDataJSON, authenticatorData, signature, userHandle} = credential.response;
    return {id: credential.id, response: {clientDataJSON: encode(clientDataJSON),
      authenticatorData: encode(authenticatorData), signature: encode(signature), userHandle: encode(userHandle)}};
  };

  const make = async (options, name) => {
    options.challenge = decode(options.challenge);
    options.user.id = decode(options.user.id);
    for (const known of options.excludeCredentials) known.id = decode(known.id);
    const credential = await navigator.credentials.create({publicKey: options});
    const {clientDataJSON, attestationObject} = credential.response;
    return {name, response: {clientDataJSON: encode(clientDataJSON), attestationObject: encode(attestationObject)}};
  };

  for (const form of document.querySelectorAll("form[data-passkey]")) {
    form.hidden = false;
    const failed = form.querySelector("[data-passkey-failed]");
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      failed.hidden = true;
      const button = form.querySelector("button");
      button.disabled = true;
      try {
        const options = await post(form, form.dataset.options, {});
        const answer = form.dataset.passkey === "add"
          ? await make(options, form.elements.name.value) : await sign(options);
        await post(form, form.dataset.answer, answer);
        location.assign(form.dataset.to);
      } catch (problem) {
        const known = {InvalidStateError: "This device has a passkey of yours already.",
          NotAllowedError: "Nothing was signed: it was cancelled, took too long, or there is no passkey here."};
        failed.textContent = known[problem.name] ?? problem.message;
        failed.hidden = false;
        button.disabled = false;
      }
    });
  }
})();
