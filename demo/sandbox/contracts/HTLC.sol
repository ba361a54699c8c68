// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {HashTimeLock} from "./HashTimeLock.sol";

/// Holds one kind of token.
contract HTLC is HashTimeLock {
    using SafeERC20 for IERC20;

    error HTLC__InvalidInitiatorSignature();

    bytes32 private constant INITIATE_TYPEHASH =
        keccak256("Initiate(address redeemer,uint256 timelock,uint256 amount,bytes32 secretHash)");

    /// The one token this contract holds.
    IERC20 public immutable token;

    constructor(IERC20 token_) {
        token = token_;
    }

    /// Locks the caller's own tokens, which needs an allowance for this contract.
    function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash) external {
        _initiate(msg.sender, msg.sender, redeemer, timelock, amount, secretHash);
    }

    /// Locks the caller's tokens on behalf of the initiator, who gets them on a refund.
    function initiateOnBehalf(
        address initiator,
        address redeemer,
        uint256 timelock,
        uint256 amount,
        bytes32 secretHash
    ) external {
        _initiate(msg.sender, initiator, redeemer, timelock, amount, secretHash);
    }

    /// Locks the initiator's tokens by a signature; the caller only pays the gas. ERC-1271 accounts may sign, too.
    function initiateWithSignature(
        address initiator,
        address redeemer,
        uint256 timelock,
        uint256 amount,
        bytes32 secretHash,
        bytes calldata signature
    ) external {
        bytes32 message = keccak256(abi.encode(INITIATE_TYPEHASH, redeemer, timelock, amount, secretHash));
        require(
            SignatureChecker.isValidSignatureNow(initiator, _hashTypedDataV4(message), signature),
            HTLC__InvalidInitiatorSignature()
        );
        _initiate(initiator, initiator, redeemer, timelock, amount, secretHash);
    }

    function _initiate(
        address payer,
        address initiator,
        address redeemer,
        uint256 timelock,
        uint256 amount,
        bytes32 secretHash
    ) internal {
        _lock(initiator, redeemer, timelock, amount, secretHash);
        token.safeTransferFrom(payer, address(this), amount);
    }

    function _pay(address to, uint256 amount) internal override {
        token.safeTransfer(to, amount);
    }
}
